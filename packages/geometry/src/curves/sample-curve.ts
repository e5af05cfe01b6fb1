import { getCurveDomain } from '../values/curve-domain.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { cross, dot, length, subtract } from '../values/vector.ts'
import { getPoint } from './evaluate.ts'
import { listSegments } from './split.ts'

/** The angle of `COARSE` drawings. */
const DEFAULT_TURN = Math.PI / 24

/**
 * Points along a curve whose polyline approximates it for display. `turn` is the largest angle between neighbouring
 * pieces, in radians.
 */
export function sampleCurve(curve: Curve, turn = DEFAULT_TURN): Xyz[] {
  switch (curve.type) {
    case 'line':
      return [curve.from, curve.to]
    case 'polyline':
      return [...curve.vertices]
    case 'rectangle':
      return sampleEvenly(curve, 4)
    case 'circle':
      return sampleEvenly(curve, countArcPieces(2 * Math.PI, turn))
    case 'arc':
      return sampleEvenly(curve, countArcPieces(curve.endAngle - curve.startAngle, turn))
    case 'nurbsCurve':
      return listParameters(curve, turn).map((t) => getPoint(curve, t))
    case 'polyCurve':
      return listSegments(curve).flatMap((segment, i) => sampleCurve(segment, turn).slice(i === 0 ? 0 : 1))
  }
}

function sampleEvenly(curve: Curve, count: number): Xyz[] {
  const { start, end } = getCurveDomain(curve)
  return Array.from({ length: count + 1 }, (_, i) => getPoint(curve, start + ((end - start) * i) / count))
}

/** Divides each span into equal pieces, as many as its turning angle requires. */
function listParameters({ degree, points, knots }: NurbsCurve, turn: number): number[] {
  const parameters: number[] = []
  for (const { first, from, to } of listKnotSpans(knots, degree, points.length)) {
    const count = countPieces(points.slice(first, first + degree + 1), degree, turn)
    for (let i = 0; i < count; i++) parameters.push(from + ((to - from) * i) / count)
  }
  parameters.push(knots[points.length - 1] ?? 1)
  return parameters
}

export interface KnotSpan {
  /** The first of the `degree + 1` control points of the span. */
  first: number
  from: number
  to: number
}

/** The intervals between distinct knots. */
export function listKnotSpans(knots: readonly number[], degree: number, pointCount: number): KnotSpan[] {
  const spans: KnotSpan[] = []
  for (let i = degree - 1; i < pointCount - 1; i++) {
    const [from, to] = [knots[i]!, knots[i + 1]!]
    if (to > from) spans.push({ first: i - degree + 1, from, to })
  }
  return spans
}

/** Rounding errors of angles are below this, so that all quarter turns have the same number of pieces. */
const ROUNDING = 1e-9

/** The limit for one span: more pieces cannot be distinguished. */
const MAX_PIECES = 32

/**
 * The number of straight pieces that approximate a curve span with these control points, from the turning angle
 * of its control polygon, which bounds that of the curve.
 */
export function countPieces(polygon: readonly Xyz[], degree: number, most: number): number {
  if (degree === 1) return 1
  let angle = 0
  let before: Xyz | undefined
  for (let i = 1; i < polygon.length; i++) {
    const leg = subtract(polygon[i]!, polygon[i - 1]!)
    if (length(leg) === 0) continue
    if (before) angle += Math.atan2(length(cross(before, leg)), dot(before, leg))
    before = leg
  }
  return Math.min(Math.max(Math.ceil(angle / most - ROUNDING), 1), MAX_PIECES)
}

/** The most pieces of an arc. One turn has 48, and an arc of very many turns looks the same with fewer. */
const MAX_ARC_PIECES = 4096

/** Returns the number of pieces for a circular arc of this angle, in radians. */
const countArcPieces = (angle: number, most: number): number =>
  Math.min(Math.max(Math.ceil(Math.abs(angle) / most - ROUNDING), 1), MAX_ARC_PIECES)
