import { checkpoint } from '../budget/budget.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Arc } from '../values/curves.ts'
import { pointAt } from '../values/planes.ts'
import { toXyz, type Xyz } from '../values/points.ts'
import type { Curve, Domain } from '../values/value.ts'
import { add, cross, dot, findUnit, interpolate, length, ORIGIN, scale, subtract } from '../values/vector.ts'
import { evaluateNurbs, type Side } from './evaluate-nurbs.ts'
import { listPieces, type Piece } from './pieces.ts'

/**
 * The point of a curve at a parameter and its derivatives up to `order` (at most 3). Where pieces meet, `side`
 * selects the piece. Outside the domain the first or last piece is extrapolated: a line straight, an arc around
 * its centre.
 */
export function evaluate(curve: Curve, t: number, order = 0, side: Side = 'above'): Xyz[] {
  const pieces = listPieces(curve)
  const piece = pieces[findPiece(pieces, t, side)]
  return piece ? evaluatePiece(piece, t, order, side) : []
}

export function getPoint(curve: Curve, t: number): Xyz {
  return evaluate(curve, t)[0] ?? ORIGIN
}

export function getStart(curve: Curve): Xyz {
  return getPoint(curve, getCurveDomain(curve).start)
}

export function getEnd(curve: Curve): Xyz {
  const { end } = getCurveDomain(curve)
  return evaluate(curve, end, 0, 'below')[0] ?? ORIGIN
}

/** The unit tangent of a curve, at a knot on the specified side; undefined if it is degenerate. */
export function findTangent(curve: Curve, t: number, side: Side = 'above'): Xyz | undefined {
  const pieces = listPieces(curve)
  const index = findPiece(pieces, t, side)
  const step = side === 'above' ? 1 : -1
  // A piece without length, as between coincident vertices, takes the direction of the next piece.
  for (let i = index; pieces[i]; i += step) {
    const piece = pieces[i] as Piece
    const tangent = findPieceTangent(
      piece,
      i === index ? t : side === 'above' ? piece.start : piece.end,
      side,
    )
    if (tangent) return tangent
  }
  return side === 'above' && index > 0
    ? findTangent(curve, (pieces[index] as Piece).start, 'below')
    : undefined
}

/**
 * Returns the unit tangent. Where a derivative vanishes, as at coincident control points, the next one determines it.
 */
function findPieceTangent(piece: Piece, t: number, side: Side): Xyz | undefined {
  const [, first, second] = evaluatePiece(piece, t, 2, side)
  if (!first || !second) return undefined
  const [speed, change] = [length(first), length(second)]
  if (speed > 1e-12 * (1 + change)) return findUnit(first)
  return change > 1e-12 ? findUnit(scale(second, t >= piece.end ? -1 : 1)) : undefined
}

/**
 * The curvature vector, towards the centre of curvature, with length 1 / radius. Zero where the curve is
 * straight; undefined where it has no direction.
 */
export function findCurvature(curve: Curve, t: number, side: Side = 'above'): Xyz | undefined {
  const [, first, second] = evaluate(curve, t, 2, side)
  if (!first || !second) return undefined
  const square = dot(first, first)
  if (square === 0) return undefined
  return scale(cross(cross(first, second), first), 1 / square ** 2)
}

/**
 * The index of the piece at `t`; where two meet, the later one for side `above` and the earlier one for
 * `below`.
 */
export function findPiece(pieces: readonly Piece[], t: number, side: Side = 'above'): number {
  let [low, high] = [0, pieces.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const { start } = pieces[middle] as Piece
    if (side === 'above' ? start <= t : start < t) low = middle
    else high = middle - 1
  }
  return Math.max(low, 0)
}

export function evaluatePiece(piece: Piece, t: number, order: number, side: Side): Xyz[] {
  checkpoint()
  const { shape, start, end } = piece
  const local = getLocalDomain(shape)
  const rate = end === start ? 0 : (local.end - local.start) / (end - start)
  const u = t === end ? local.end : local.start + (t - start) * rate
  const derivatives = evaluateShape(shape, u, order, side)
  return rate === 1 || order === 0
    ? derivatives
    : derivatives.map((derivative, k) => scale(derivative, rate ** k))
}

/** The parameter range of a piece: 0 to 1 for a line, the angles of an arc, the knots of a NURBS curve. */
export function getLocalDomain(shape: Piece['shape']): Pick<Domain, 'start' | 'end'> {
  if (shape.type === 'line') return { start: 0, end: 1 }
  if (shape.type === 'arc') return { start: shape.startAngle, end: shape.endAngle }
  return getCurveDomain(shape)
}

function evaluateShape(shape: Piece['shape'], u: number, order: number, side: Side): Xyz[] {
  if (shape.type === 'nurbsCurve') return evaluateNurbs(shape, u, order, side)
  if (shape.type === 'arc') return evaluateArc(shape, u, order)
  const point = u === 1 ? shape.to : interpolate(shape.from, shape.to, u)
  return order === 0 ? [point] : [point, subtract(shape.to, shape.from), ORIGIN, ORIGIN].slice(0, order + 1)
}

function evaluateArc({ plane, radius }: Arc, angle: number, order: number): Xyz[] {
  let [x, y] = findDirection(angle)
  const derivatives = [toXyz(pointAt(plane, radius * x, radius * y))]
  for (let k = 1; k <= order; k++) {
    // Each derivative rotates the vector by a quarter turn.
    ;[x, y] = [-y, x]
    derivatives.push(add(scale(plane.xAxis, radius * x), scale(plane.yAxis, radius * y)))
  }
  return derivatives
}

/** Sines below this are rounding errors, such as that of a whole turn, -2.4e-16; that of an angle of 1e-15 is not. */
const ANGLE_NOISE = 2 * Number.EPSILON

/**
 * Cosine and sine, exact at quarter turns, as rhino3dm evaluates circles: the axes of a plane that is perpendicular to
 * the tangent depend on which of its coordinates are zero.
 */
function findDirection(angle: number): [cos: number, sin: number] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  if (Math.abs(cos) < ANGLE_NOISE) return [0, Math.sign(sin)]
  if (Math.abs(sin) < ANGLE_NOISE) return [Math.sign(cos), 0]
  return [cos, sin]
}
