import { checkpoint } from '../budget/budget.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'

/** The side of a knot on which discontinuous derivatives are evaluated. */
export type Side = 'above' | 'below'

/** The first control point of the knot span at `t`; outside the domain, of the first or last span. */
export function findSpan(curve: NurbsCurve, t: number, side: Side = 'above'): number {
  return findFlatSpan(flatten(curve), t, side)
}

/**
 * The point at `t` and its derivatives up to `order`, at a knot those on the specified side. Outside the domain the
 * first or last span is extrapolated.
 * Source: de Boor's algorithm on the homogeneous control points of the span and on their differences;
 * derivatives by the quotient rule (Piegl and Tiller, The NURBS Book, 4.3).
 */
export function evaluateNurbs(curve: NurbsCurve, t: number, order = 0, side: Side = 'above'): Xyz[] {
  const flat = flatten(curve)
  const { degree, knots } = flat
  const first = findFlatSpan(flat, t, side)
  const scratch = takeScratch(flat, first)
  if (order === 0) {
    runDeBoor(scratch.points, knots, first, degree, t)
    const at = 4 * degree
    const [x, y, z, w] = [
      scratch.points[at]!,
      scratch.points[at + 1]!,
      scratch.points[at + 2]!,
      scratch.points[at + 3]!,
    ]
    return [{ x: x / w, y: y / w, z: z / w }]
  }
  const results = new Float64Array(4 * (order + 1))
  for (let k = 0; k <= order && k <= degree; k++) {
    scratch.work.set(scratch.points)
    runDeBoor(scratch.work, knots, first + k, degree - k, t)
    const at = 4 * (degree - k)
    for (let c = 0; c < 4; c++) results[4 * k + c] = scratch.work[at + c] as number
    if (k < order) differentiate(scratch.points, knots, first + k, degree - k)
  }
  return toDerivatives(results, order)
}

/** The length of the first derivative at `t`. */
export function getNurbsSpeed(curve: NurbsCurve, t: number): number {
  const flat = flatten(curve)
  if (flat.isRational) {
    const [, { x, y, z }] = evaluateNurbs(curve, t, 1) as [Xyz, Xyz]
    return Math.sqrt(x * x + y * y + z * z)
  }
  const { degree, knots } = flat
  const first = findFlatSpan(flat, t, 'above')
  const { points } = takeScratch(flat, first)
  differentiate(points, knots, first, degree)
  runDeBoor(points, knots, first + 1, degree - 1, t)
  const at = 4 * (degree - 1)
  const [x, y, z] = [points[at] as number, points[at + 1] as number, points[at + 2] as number]
  return Math.sqrt(x * x + y * y + z * z)
}

function findFlatSpan({ knots, degree, points }: FlatNurbs, t: number, side: Side): number {
  checkpoint(degree)
  let [low, high] = [0, points.length / 4 - degree - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const knot = knots[middle + degree - 1] as number
    if (side === 'above' ? knot <= t : knot < t) low = middle
    else high = middle - 1
  }
  return low
}

/** Reused between calls; no reference outlives a call. */
let SCRATCH = { points: new Float64Array(0), work: new Float64Array(0) }

/** A working copy of the control points of a span. */
function takeScratch({ degree, points }: FlatNurbs, first: number): typeof SCRATCH {
  const size = 4 * (degree + 1)
  if (SCRATCH.points.length !== size)
    SCRATCH = { points: new Float64Array(size), work: new Float64Array(size) }
  for (let i = 0; i < size; i++) SCRATCH.points[i] = points[4 * first + i] as number
  return SCRATCH
}

/**
 * Leaves the result in the last of the degree + 1 control points. `offset` is the index of the first relevant
 * knot.
 */
function runDeBoor(work: Float64Array, knots: Float64Array, offset: number, degree: number, t: number): void {
  for (let r = 1; r <= degree; r++) {
    for (let j = degree; j >= r; j--) {
      const from = knots[offset + j - 1] as number
      const size = (knots[offset + j + degree - r] as number) - from
      const ratio = size === 0 ? 0 : (t - from) / size
      const at = 4 * j
      for (let c = at; c < at + 4; c++) {
        const before = work[c - 4] as number
        work[c] = before + ((work[c] as number) - before) * ratio
      }
    }
  }
}

/** Replaces control points by those of the derivative, in place. */
function differentiate(points: Float64Array, knots: Float64Array, offset: number, degree: number): void {
  for (let j = 0; j < degree; j++) {
    const size = (knots[offset + j + degree] as number) - (knots[offset + j] as number)
    const factor = size === 0 ? 0 : degree / size
    for (let c = 4 * j; c < 4 * j + 4; c++) {
      points[c] = ((points[c + 4] as number) - (points[c] as number)) * factor
    }
  }
}

const BINOMIALS = [[1], [1, 1], [1, 2, 1], [1, 3, 3, 1]] as const

function toDerivatives(results: Float64Array, order: number): Xyz[] {
  const points: Xyz[] = []
  const weight = results[3] as number
  for (let k = 0; k <= order; k++) {
    const point = {
      x: results[4 * k] as number,
      y: results[4 * k + 1] as number,
      z: results[4 * k + 2] as number,
    }
    for (let i = 1; i <= k; i++) {
      const factor = (BINOMIALS[k]?.[i] ?? 0) * (results[4 * i + 3] as number)
      if (factor === 0) continue
      const lower = points[k - i] as Xyz
      point.x -= factor * lower.x
      point.y -= factor * lower.y
      point.z -= factor * lower.z
    }
    points.push({ x: point.x / weight, y: point.y / weight, z: point.z / weight })
  }
  return points
}

/** A NURBS curve as typed arrays, cached per curve because evaluation is frequent. */
interface FlatNurbs {
  readonly degree: number
  readonly knots: Float64Array
  /** Four numbers for each control point: the coordinates times the weight, and the weight. */
  readonly points: Float64Array
  readonly isRational: boolean
}

const KNOWN = new WeakMap<NurbsCurve, FlatNurbs>()

function flatten(curve: NurbsCurve): FlatNurbs {
  let flat = KNOWN.get(curve)
  if (!flat) {
    const points = new Float64Array(4 * curve.points.length)
    for (let i = 0; i < curve.points.length; i++) {
      const { x, y, z } = curve.points[i] as Xyz
      const weight = curve.weights?.[i] ?? 1
      points[4 * i] = x * weight
      points[4 * i + 1] = y * weight
      points[4 * i + 2] = z * weight
      points[4 * i + 3] = weight
    }
    const isRational = curve.weights !== undefined
    flat = { degree: curve.degree, knots: Float64Array.from(curve.knots), points, isRational }
    KNOWN.set(curve, flat)
  }
  return flat
}
