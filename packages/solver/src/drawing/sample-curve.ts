import { getPoint } from '../geometry/curves/evaluate.ts'
import { listSegments } from '../geometry/curves/split.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { COARSE, countArcPieces, countPieces } from './count-pieces.ts'

/**
 * Points along a curve whose polyline approximates it for display. `turn` is the largest angle between neighbouring
 * pieces, in radians.
 */
export function sampleCurve(curve: Curve, turn = COARSE.line): Xyz[] {
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
  for (const { first, from, to } of listSpans(knots, degree, points.length)) {
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
export function listSpans(knots: readonly number[], degree: number, pointCount: number): KnotSpan[] {
  const spans: KnotSpan[] = []
  for (let i = degree - 1; i < pointCount - 1; i++) {
    const [from, to] = [knots[i]!, knots[i + 1]!]
    if (to > from) spans.push({ first: i - degree + 1, from, to })
  }
  return spans
}
