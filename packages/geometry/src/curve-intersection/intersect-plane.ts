import { getPoint } from '../curves/evaluate.ts'
import { endsAtSeam } from '../curves/split.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { toLocal } from '../values/planes.ts'
import type { Plane } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { areEqual } from '../values/vector.ts'
import { type Bezier, listBeziers } from './bezier.ts'
import { findRoots } from './roots.ts'

/**
 * The parameters at which a curve crosses or touches a plane within the tolerance, ascending; for parts in the
 * plane both of their ends. The seam of a closed curve counts once, as its start.
 */
export function findPlaneCrossings(curve: Curve, plane: Plane, tolerance: number): number[] {
  const found: number[] = []
  let lay = false
  for (const bezier of listBeziers(curve)) {
    const heights = listHeights(bezier, plane)
    const lies = heights.every((height) => Math.abs(height) <= tolerance)
    if (lies && !lay) found.push(bezier.start)
    if (!lies && lay) found.push(bezier.start)
    if (!lies) for (const u of findRoots(heights, tolerance)) found.push(bezier.toParameter(u))
    lay = lies
  }
  const { start, end } = getCurveDomain(curve)
  if (lay) found.push(end)
  return withoutRepeats(curve, found, tolerance, start, end)
}

/** The weighted distances of the control points from the plane: Bernstein coefficients of the distance. */
function listHeights({ points }: Bezier, plane: Plane): number[] {
  return points.map(({ x, y, z, w }) => toLocal(plane, { x: x / w, y: y / w, z: z / w }).z * w)
}

/** Removes repeated crossings, such as the end of one span and the start of the next. */
function withoutRepeats(
  curve: Curve,
  found: readonly number[],
  tolerance: number,
  start: number,
  end: number,
): number[] {
  const slack = 1e-6 * (end - start)
  const distinct: number[] = []
  for (const t of found.toSorted((a, b) => a - b)) {
    const last = distinct.at(-1)
    const isSame =
      last !== undefined &&
      t - last <= slack &&
      areEqual(getPoint(curve, t), getPoint(curve, last), tolerance)
    if (!isSame) distinct.push(t)
  }
  return endsAtSeam(curve, distinct) ? distinct.slice(0, -1) : distinct
}
