import { getCurveDomain } from '../values/curve-domain.ts'
import { arc, circle, type Line, line, type NurbsCurve, type PolyCurve, polyline } from '../values/curves.ts'
import { plane } from '../values/planes.ts'
import type { Plane } from '../values/points.ts'
import { type Curve, type Domain, domain } from '../values/value.ts'
import { areEqual, interpolate, scale } from '../values/vector.ts'
import { findPiece, getEnd, getLocalDomain, getStart } from './evaluate.ts'
import { reverseNurbs, trimNurbs } from './knots.ts'
import { listPieces, type Piece } from './pieces.ts'
import { findVertices } from './vertices.ts'

/** The tolerance for equal parameters, relative to the domain. */
export const SAME = 1e-12

/**
 * The part of a curve between two parameters, in either order and clamped to the domain; the domain of the part
 * is from the smaller to the larger. Undefined for a part without length.
 */
export function findSubCurve(curve: Curve, one: number, other: number): Curve | undefined {
  const { start, end } = getCurveDomain(curve)
  const slack = SAME * (end - start)
  const [from, to] = [Math.max(Math.min(one, other), start), Math.min(Math.max(one, other), end)]
  if (from <= start + slack && to >= end - slack) return curve
  return to - from > slack ? cut(curve, from, to) : undefined
}

/** Splits a curve at inner parameters, in any order. The parts run from start to end. */
export function splitCurve(curve: Curve, parameters: readonly number[]): Curve[] {
  const { start, end } = getCurveDomain(curve)
  const ends = [start, ...listCuts(curve, parameters), end]
  return ends.slice(1).flatMap((to, i) => findSubCurve(curve, ends[i] as number, to) ?? [])
}

function listCuts(curve: Curve, parameters: readonly number[]): number[] {
  const { start, end } = getCurveDomain(curve)
  const slack = SAME * (end - start)
  const cuts: number[] = []
  for (const t of parameters.toSorted((a, b) => a - b)) {
    const isInside = t > start + slack && t < end - slack
    if (isInside && t - (cuts.at(-1) ?? start) > slack) cuts.push(t)
  }
  return cuts
}

/** Reverses a curve. Its domain changes from a..b to -b..-a, as in openNURBS. */
export function reverseCurve(curve: Curve): Curve {
  if (curve.type === 'nurbsCurve') return reverseNurbs(curve)
  const { start, end } = getCurveDomain(curve)
  return { ...reverseShape(curve), domain: domain(0 - end, 0 - start) }
}

function reverseShape(curve: Exclude<Curve, NurbsCurve>): Exclude<Curve, NurbsCurve> {
  switch (curve.type) {
    case 'line':
      return line(curve.to, curve.from)
    case 'polyline':
      return polyline(curve.vertices.toReversed())
    case 'rectangle':
      return polyline((findVertices(curve) ?? []).toReversed())
    case 'circle':
      return circle(mirror(curve.plane), curve.radius)
    case 'arc':
      return arc(mirror(curve.plane), curve.radius, -curve.endAngle, -curve.startAngle)
    case 'polyCurve':
      return { type: 'polyCurve', segments: curve.segments.toReversed().map(reverseCurve) }
  }
}

/** Rotates a plane by half a turn about its x axis, so that angles change their sign. */
function mirror({ origin, xAxis, yAxis, zAxis }: Plane): Plane {
  return plane(origin, xAxis, scale(yAxis, -1), scale(zAxis, -1))
}

/** Whether a curve ends where it starts, but for a gap of the tolerance or of the rounding of its coordinates. */
export function isClosed(curve: Curve, tolerance = ROUNDING): boolean {
  if (curve.type === 'line') return false
  const [start, end] = [getStart(curve), getEnd(curve)]
  const size = 1 + Math.max(Math.abs(start.x), Math.abs(start.y), Math.abs(start.z))
  return areEqual(start, end, Math.max(tolerance, ROUNDING * size))
}

const ROUNDING = 1e-9

/** Whether ascending parameters of a closed curve begin and end at its seam. */
export function endsAtSeam(curve: Curve, parameters: readonly number[]): boolean {
  const { start, end } = getCurveDomain(curve)
  const slack = 1e-6 * (end - start)
  const [first, last] = [parameters[0], parameters.at(-1)]
  return parameters.length > 1 && isClosed(curve) && first! - start <= slack && end - last! <= slack
}

function cut(curve: Curve, from: number, to: number): Curve {
  const pieces = listPieces(curve)
  const first = findPiece(pieces, from, 'above')
  const last = findPiece(pieces, to, 'below')
  const inside = pieces.slice(first, last + 1).map((piece): Piece => {
    const [start, end] = [Math.max(from, piece.start), Math.min(to, piece.end)]
    return { shape: cutShape(piece, start, end), start, end }
  })
  return createFromPieces(inside)
}

/** The part of a piece from one of the whole curve's parameters to another. */
function cutShape({ shape, start, end }: Piece, from: number, to: number): Piece['shape'] {
  const local = getLocalDomain(shape)
  const rate = (local.end - local.start) / (end - start)
  const a = from === start ? local.start : local.start + (from - start) * rate
  const b = to === end ? local.end : local.start + (to - start) * rate
  if (shape.type === 'nurbsCurve') return trimNurbs(shape, a, b)
  if (shape.type === 'arc') return arc(shape.plane, shape.radius, a, b)
  return line(
    a === 0 ? shape.from : interpolate(shape.from, shape.to, a),
    b === 1 ? shape.to : interpolate(shape.from, shape.to, b),
  )
}

/**
 * Combines consecutive pieces into one curve and keeps their parameters. Straight pieces become a polyline, or
 * a NURBS curve if the parameters require one.
 */
export function createFromPieces(pieces: readonly Piece[]): Curve {
  const [first] = pieces
  const last = pieces.at(-1)
  if (!first || !last) return polyline([])
  const range = domain(first.start, last.end)
  if (pieces.length === 1) return withDomain(first.shape, range)
  if (pieces.every(({ shape }) => shape.type === 'line')) return createStraight(pieces, range)
  const segments = pieces.map(({ shape, start, end }) => withDomain(shape, domain(start, end)))
  return { type: 'polyCurve', segments, domain: range }
}

/**
 * Segments of a polyline cover equal parts of the domain; other parameters need the knots of a NURBS curve.
 */
function createStraight(pieces: readonly Piece[], range: Domain): Curve {
  const lines = pieces.map(({ shape }) => shape as Line)
  const vertices = [(lines[0] as Line).from, ...lines.map(({ to }) => to)]
  const size = (range.end - range.start) / pieces.length
  const isEven = pieces.every(({ start, end }) => Math.abs(end - start - size) <= 1e-9 * size)
  if (isEven) return { ...polyline(vertices), domain: range }
  const knots = [range.start, ...pieces.map(({ end }) => end)]
  return { type: 'nurbsCurve', degree: 1, points: vertices, knots }
}

/** A curve with another domain and an unchanged shape. */
export function withDomain(curve: Curve, range: Domain): Curve {
  if (curve.type !== 'nurbsCurve') return { ...curve, domain: range }
  const { start, end } = getCurveDomain(curve)
  if (start === range.start && end === range.end) return curve
  const rate = (range.end - range.start) / (end - start)
  const knots = curve.knots.map((knot) => (knot === end ? range.end : range.start + (knot - start) * rate))
  return { ...curve, knots }
}

/** The segments of a polycurve, nested ones flattened, each with its part of the domain. */
export function listSegments(curve: PolyCurve): Curve[] {
  const { start, end } = getCurveDomain(curve)
  const sizes = curve.segments.map((segment) => {
    const range = getCurveDomain(segment)
    return range.end - range.start
  })
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const rate = total === 0 ? 0 : (end - start) / total
  let from = start
  return curve.segments.flatMap((segment, i) => {
    const to = from + (sizes[i] as number) * rate
    const own = withDomain(segment, domain(from, to))
    from = to
    return own.type === 'polyCurve' ? listSegments(own) : [own]
  })
}

/** Combines consecutive curves into a polycurve. Its domain starts where that of the first curve does. */
export function createPolyCurve(curves: readonly Curve[]): PolyCurve {
  const segments = curves.flatMap((curve) => (curve.type === 'polyCurve' ? listSegments(curve) : [curve]))
  const [first] = segments
  const start = first ? getCurveDomain(first).start : 0
  const size = segments.reduce((sum, segment) => {
    const range = getCurveDomain(segment)
    return sum + range.end - range.start
  }, 0)
  return { type: 'polyCurve', segments, ...(start === 0 ? {} : { domain: domain(start, start + size) }) }
}
