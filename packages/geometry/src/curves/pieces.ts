import { checkpoint } from '../budget/budget.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Arc, Line, NurbsCurve } from '../values/curves.ts'
import { line } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import { type Curve, type Domain, domain } from '../values/value.ts'
import { findVertices } from './vertices.ts'

/** A line, arc or NURBS curve and the part of the curve's domain that it covers. */
export interface Piece {
  readonly shape: Line | Arc | NurbsCurve
  readonly start: number
  readonly end: number
}

const KNOWN = new WeakMap<Curve, readonly Piece[]>()

/** Splits a curve into at least one line, arc or NURBS curve; cached per curve. */
export function listPieces(curve: Curve): readonly Piece[] {
  let pieces = KNOWN.get(curve)
  if (!pieces) {
    pieces = [...cut(curve, getCurveDomain(curve))]
    KNOWN.set(curve, pieces)
  }
  return pieces
}

/** Whether a part of the curve is a NURBS curve that is not made of lines. */
export const hasFreePieces = (curve: Curve): boolean =>
  listPieces(curve).some(({ shape }) => shape.type === 'nurbsCurve' && shape.degree > 1)

function* cut(curve: Curve, range: Domain): Generator<Piece> {
  switch (curve.type) {
    case 'line':
    case 'arc':
    case 'nurbsCurve':
      yield { shape: curve, start: range.start, end: range.end }
      break
    case 'circle':
      yield { shape: toArc(curve.plane, curve.radius), start: range.start, end: range.end }
      break
    case 'polyline':
    case 'rectangle':
      yield* cutStraight(findVertices(curve) ?? [], range)
      break
    case 'polyCurve':
      yield* cutSegments(curve.segments, range)
  }
}

function toArc(plane: Arc['plane'], radius: number): Arc {
  return { type: 'arc', plane, radius, startAngle: 0, endAngle: 2 * Math.PI }
}

function* cutStraight(vertices: readonly Xyz[], range: Domain): Generator<Piece> {
  const last = vertices.length - 1
  checkpoint(last)
  for (let i = 0; i < last; i++) {
    const shape = line(vertices[i] as Xyz, vertices[i + 1] as Xyz)
    yield { shape, start: at(range, i / last), end: at(range, (i + 1) / last) }
  }
}

function* cutSegments(segments: readonly Curve[], range: Domain): Generator<Piece> {
  const sizes = segments.map((segment) => {
    const { start, end } = getCurveDomain(segment)
    return end - start
  })
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let done = 0
  for (const [i, segment] of segments.entries()) {
    const from = at(range, done / total)
    done += sizes[i] as number
    const to = i === segments.length - 1 ? range.end : at(range, done / total)
    yield* cut(segment, domain(from, to))
  }
}

function at({ start, end }: Domain, t: number): number {
  return t === 1 ? end : start + (end - start) * t
}
