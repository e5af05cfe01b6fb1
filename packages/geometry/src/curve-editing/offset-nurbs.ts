import { evaluate } from '../curves/evaluate.ts'
import type { Side } from '../curves/evaluate-nurbs.ts'
import { createNurbs } from '../curves/knots.ts'
import { isClosed } from '../curves/split.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { NurbsCurve } from '../values/curves.ts'
import { toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import { add, cross, distance, dot, length, scale } from '../values/vector.ts'

/** How often a span is halved at most. */
const MOST_HALVINGS = 12
/** The least cosine between the directions on both sides of a knot that is no corner. */
const SMOOTH = 1 - 1e-9

/** The offset at a parameter, and its derivative there. */
interface Place {
  readonly t: number
  readonly point: Xyz
  readonly derivative: Xyz
}

/** A cubic between two places: `from` is seen from above, `to` from below. */
interface Span {
  readonly from: Place
  readonly to: Place
}

/**
 * Offsets a NURBS curve that lies in a plane, to the right of its direction as seen against the plane normal, by a cubic
 * with the same parameters. It deviates from the offset by a tenth of the tolerance at most. Undefined where the curve
 * leaves the plane, has a corner, or bends more than the offset can follow.
 */
export function offsetNurbs(
  curve: NurbsCurve,
  by: number,
  plane: Plane,
  tolerance: number,
): NurbsCurve | undefined {
  const [height, ...others] = curve.points.map((point) => toLocal(plane, point).z)
  if (height === undefined || others.some((other) => Math.abs(other - height) > tolerance)) return undefined
  const findPlace = (t: number, side: Side) => locate(curve, t, side, by, plane.zAxis)
  const { start, end } = getCurveDomain(curve)
  const breaks = [...new Set(curve.knots.filter((knot) => knot >= start && knot <= end))]
  const spans: Span[] = []
  for (const [i, t] of breaks.slice(1).entries()) {
    const [from, to] = [findPlace(breaks[i] as number, 'above'), findPlace(t, 'below')]
    const last = spans.at(-1)
    if (!from || !to || (last && !isSmooth(last.to, from))) return undefined
    const parts = divide({ from, to }, findPlace, tolerance / 10, MOST_HALVINGS)
    if (!parts) return undefined
    spans.push(...parts)
  }
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last || (isClosed(curve, tolerance) && !isSmooth(last.to, first.from))) return undefined
  return joinSpans(spans)
}

/** Undefined where the curve has no direction, or the offset turns back. */
function locate(curve: NurbsCurve, t: number, side: Side, by: number, normal: Xyz): Place | undefined {
  const [point, first, second] = evaluate(curve, t, 2, side)
  const speed = first ? length(first) : 0
  if (!point || !first || !second || !(speed > 1e-12)) return undefined
  const growth = 1 + (by * dot(cross(first, second), normal)) / speed ** 3
  if (!(growth > 1e-6)) return undefined
  return { t, point: add(point, scale(cross(first, normal), by / speed)), derivative: scale(first, growth) }
}

const isSmooth = ({ derivative: a }: Place, { derivative: b }: Place) =>
  dot(a, b) >= SMOOTH * length(a) * length(b)

/** Halves a span until its cubic is within the tolerance. */
function divide(
  span: Span,
  findPlace: (t: number, side: Side) => Place | undefined,
  tolerance: number,
  halvings: number,
): Span[] | undefined {
  const { from, to } = span
  const places = [0.25, 0.5, 0.75].map((share) => findPlace(from.t + share * (to.t - from.t), 'above'))
  if (places.some((place) => !place)) return undefined
  const isNear = places.every(
    (place, i) => place && distance(place.point, pointOn(span, (i + 1) / 4)) <= tolerance,
  )
  if (isNear) return [span]
  const middle = places[1] as Place
  if (halvings === 0) return undefined
  const before = divide({ from, to: middle }, findPlace, tolerance, halvings - 1)
  const after = before && divide({ from: middle, to }, findPlace, tolerance, halvings - 1)
  return after && [...before, ...after]
}

/** The inner control points of the cubic of a span. */
function listInner({ from, to }: Span): [Xyz, Xyz] {
  const third = (to.t - from.t) / 3
  return [add(from.point, scale(from.derivative, third)), add(to.point, scale(to.derivative, -third))]
}

function pointOn(span: Span, s: number): Xyz {
  const [b, c] = listInner(span)
  const r = 1 - s
  const ends = add(scale(span.from.point, r ** 3), scale(span.to.point, s ** 3))
  return add(ends, add(scale(b, 3 * r * r * s), scale(c, 3 * r * s * s)))
}

/** One curve of all spans, with two knots where the derivative is the same on both sides, and three elsewhere. */
function joinSpans(spans: readonly Span[]): NurbsCurve {
  const [first, last] = [spans[0] as Span, spans.at(-1) as Span]
  const points = [first.from.point]
  const knots = [first.from.t, first.from.t, first.from.t]
  for (const [i, span] of spans.entries()) {
    points.push(...listInner(span))
    const next = spans[i + 1]
    if (!next) break
    const { derivative } = next.from
    const isEven = distance(span.to.derivative, derivative) <= 1e-9 * length(derivative)
    if (!isEven) points.push(next.from.point)
    knots.push(next.from.t, next.from.t, ...(isEven ? [] : [next.from.t]))
  }
  return createNurbs(
    [...points, last.to.point].map((point) => ({ x: point.x, y: point.y, z: point.z, w: 1 })),
    3,
    [...knots, last.to.t, last.to.t, last.to.t],
  )
}
