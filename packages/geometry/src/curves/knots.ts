import { checkpoint } from '../budget/budget.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import { interpolate } from '../values/vector.ts'
import { findSpan } from './evaluate-nurbs.ts'

/** Clamped uniform knots. */
export function createClampedKnots(pointCount: number, degree: number, step = 1): number[] {
  const last = pointCount - degree
  return Array.from(
    { length: pointCount + degree - 1 },
    (_, i) => step * Math.min(Math.max(i - degree + 1, 0), last),
  )
}

/** Periodic uniform knots, for a closed curve whose last `degree` control points repeat the first. */
export function createPeriodicKnots(pointCount: number, degree: number, step = 1): number[] {
  return Array.from({ length: pointCount + degree - 1 }, (_, i) => step * (i - degree + 1))
}

/** Whether the knots go on beyond the ends of the curve's domain, as those of {@link createPeriodicKnots} do. */
export const hasPeriodicKnots = ({ knots, degree }: NurbsCurve): boolean => knots[0] !== knots[degree - 1]

/** A homogeneous control point: the coordinates times the weight, and the weight. */
export interface Weighted extends Xyz {
  readonly w: number
}

export function listWeighted({ points, weights }: NurbsCurve): Weighted[] {
  return points.map(({ x, y, z }, i) => {
    const w = weights?.[i] ?? 1
    return { x: x * w, y: y * w, z: z * w, w }
  })
}

/** A NURBS curve from homogeneous control points; weights are omitted when all are one. */
export function createNurbs(
  points: readonly Weighted[],
  degree: number,
  knots: readonly number[],
): NurbsCurve {
  checkpoint(points.length)
  const locations = points.map(({ x, y, z, w }) => ({ x: x / w, y: y / w, z: z / w }))
  const weights = points.map(({ w }) => w)
  const isRational = weights.some((weight) => Math.abs(weight - 1) > 1e-14)
  return { type: 'nurbsCurve', degree, points: locations, knots, ...(isRational ? { weights } : {}) }
}

/**
 * Inserts knots of the domain in ascending order, none more often than the degree.
 * Source: The NURBS Book, algorithm A5.4.
 */
export function insertKnots(curve: NurbsCurve, added: readonly number[]): NurbsCurve {
  // Knots that are not numbers have no order.
  if (added.length === 0 || ![...added, ...curve.knots].every(Number.isFinite)) return curve
  const { degree } = curve
  const old = listWeighted(curve)
  const from = [curve.knots[0]!, ...curve.knots, curve.knots.at(-1)!]
  const findLast = (t: number) => {
    let span = old.length - 1
    while (span > degree && from[span]! > t) span--
    return span
  }
  const [first, last] = [findLast(added[0]!), findLast(added.at(-1)!) + 1]
  const points: Weighted[] = [
    ...old.slice(0, first - degree + 1),
    ...Array<Weighted>(last - 1 - (first - degree + 1) + added.length).fill(old[0]!),
    ...old.slice(last - 1),
  ]
  const knots = [
    ...from.slice(0, first + 1),
    ...Array<number>(last + degree - (first + 1) + added.length).fill(0),
    ...from.slice(last + degree),
  ]
  let [i, k] = [last + degree - 1, last + degree + added.length - 1]
  checkpoint(points.length)
  for (const t of added.toReversed()) {
    for (; t <= from[i]! && i > first; i--, k--) {
      points[k - degree - 1] = old[i - degree - 1]!
      knots[k] = from[i]!
    }
    points[k - degree - 1] = points[k - degree]!
    for (let l = 1; l <= degree; l++) {
      const at = k - degree + l
      const rest = knots[k + l]! - t
      points[at - 1] =
        rest === 0
          ? points[at]!
          : mix(points[at]!, points[at - 1]!, rest / (knots[k + l]! - from[i - degree + l]!))
    }
    knots[k] = t
    k--
  }
  return createNurbs(points, degree, knots.slice(1, -1))
}

function mix(a: Weighted, b: Weighted, ratio: number): Weighted {
  return { ...interpolate(a, b, ratio), w: a.w + (b.w - a.w) * ratio }
}

/** Raises the multiplicity of ascending knots of the domain to the degree. */
export function raiseKnots(curve: NurbsCurve, knots: readonly number[]): NurbsCurve {
  const count = (t: number) => curve.knots.filter((knot) => knot === t).length
  return insertKnots(
    curve,
    knots.flatMap((knot) => Array<number>(Math.max(0, curve.degree - count(knot))).fill(knot)),
  )
}

/** The clamped part of a NURBS curve between two parameters of its domain. */
export function trimNurbs(curve: NurbsCurve, from: number, to: number): NurbsCurve {
  const { degree } = curve
  const near = takeSpans(curve, findSpan(curve, from), findSpan(curve, to, 'below'))
  const cut = raiseKnots(near, [from, to])
  const first = cut.knots.lastIndexOf(from) - degree + 1
  const last = cut.knots.indexOf(to)
  const weights = cut.weights?.slice(first, last + 1)
  return {
    type: 'nurbsCurve',
    degree,
    points: cut.points.slice(first, last + 1),
    knots: cut.knots.slice(first, last + degree),
    ...(weights ? { weights } : {}),
  }
}

/** The knots and control points of some spans, so that trimming takes time proportional to the part. */
function takeSpans(curve: NurbsCurve, first: number, last: number): NurbsCurve {
  const { degree, points, weights, knots } = curve
  if (first === 0 && last === points.length - degree - 1) return curve
  return {
    type: 'nurbsCurve',
    degree,
    points: points.slice(first, last + degree + 1),
    knots: knots.slice(first, last + 2 * degree),
    ...(weights ? { weights: weights.slice(first, last + degree + 1) } : {}),
  }
}

/** Splits a curve into Bézier spans between its distinct knots. */
export function listBezierSpans(
  curve: NurbsCurve,
): { readonly start: number; readonly end: number; readonly points: Weighted[] }[] {
  const knots = listDistinct(curve)
  return knots.slice(1).map((end, i) => {
    const start = knots[i] as number
    return { start, end, points: listWeighted(trimNurbs(curve, start, end)) }
  })
}

/** The distinct knots of the domain, including both ends. */
export function listDistinct(curve: NurbsCurve): number[] {
  const { start, end } = getCurveDomain(curve)
  return [...new Set(curve.knots)].filter((knot) => knot >= start && knot <= end)
}

/** Reverses a curve; its domain changes from a..b to -b..-a. */
export function reverseNurbs({ points, weights, knots, degree }: NurbsCurve): NurbsCurve {
  return {
    type: 'nurbsCurve',
    degree,
    points: points.toReversed(),
    knots: knots.toReversed().map((knot) => 0 - knot),
    ...(weights ? { weights: weights.toReversed() } : {}),
  }
}

/** Elevates the degree of a curve by elevating each Bézier span. The result has full knot multiplicity. */
export function elevateDegree(curve: NurbsCurve, degree: number): NurbsCurve {
  if (degree <= curve.degree) return curve
  const raised: Weighted[] = []
  const knots: number[] = []
  for (const { start, end, points } of listBezierSpans(curve)) {
    let span = points
    checkpoint(degree)
    while (span.length <= degree) span = raise(span)
    for (const point of raised.length === 0 ? span : span.slice(1)) raised.push(point)
    for (const knot of raised.length === span.length ? [start, end] : [end]) {
      for (let k = 0; k < degree; k++) knots.push(knot)
    }
  }
  return createNurbs(raised, degree, knots)
}

function raise(span: readonly Weighted[]): Weighted[] {
  const degree = span.length
  const [first, last] = [span[0], span.at(-1)] as [Weighted, Weighted]
  const inner = span.slice(1).map((point, i) => {
    const before = span[i] as Weighted
    const t = (i + 1) / degree
    return { ...interpolate(point, before, t), w: point.w + (before.w - point.w) * t }
  })
  return [first, ...inner, last]
}
