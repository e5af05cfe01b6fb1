import { checkpoint } from '../budget/budget.ts'
import { shatterCurve } from '../curve-editing/seam.ts'
import { findClosestPoint } from '../curves/closest-point.ts'
import { getPoint } from '../curves/evaluate.ts'
import { listPieces } from '../curves/pieces.ts'
import { getWindingNumber } from '../curves/point-in-curve.ts'
import { applyTransform } from '../transform/apply-transform.ts'
import { createProjection } from '../transform/create.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { pointAt, toLocal } from '../values/planes.ts'
import type { Plane } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance } from '../values/vector.ts'
import { findMeets } from './meets.ts'

export interface TrimmedCurve {
  readonly inside: readonly Curve[]
  readonly outside: readonly Curve[]
}

/**
 * The parts of a curve inside and outside of closed curves, as seen along the normal of a plane. The curve is split
 * wherever it meets a boundary; a part is inside if its middle is inside or on a boundary. Undefined where it is unclear
 * how a bent curve lies on a boundary, or an arc is not parallel to the plane.
 * Source: results of Grasshopper's Trim with Region in pyhopper (github.com/ezzahiranass/pyhopper).
 */
export function trimWithRegions(
  curve: Curve,
  regions: readonly Curve[],
  plane: Plane,
  tolerance: number,
): TrimmedCurve | undefined {
  const projection = createProjection(plane)
  const boundaries = regions.map((region) => applyTransform(region, projection) as Curve | undefined)
  const cuts = findCuts(curve, applyTransform(curve, projection) as Curve | undefined, boundaries, tolerance)
  if (!cuts) return undefined
  const parts = cuts.length === 0 ? [curve] : shatterCurve(curve, cuts)
  const [inside, outside]: [Curve[], Curve[]] = [[], []]
  for (const part of parts) {
    const { start, end } = getCurveDomain(part)
    const { x, y } = toLocal(plane, getPoint(part, (start + end) / 2))
    const middle = pointAt(plane, x, y)
    const isInside = boundaries.some((boundary) => {
      if (!boundary) return false
      const gap = findClosestPoint(boundary, middle)?.distance ?? Infinity
      return gap <= tolerance || getWindingNumber(boundary, plane, middle) !== 0
    })
    const parts = isInside ? inside : outside
    parts.push(part)
  }
  return { inside, outside }
}

/** The parameters at which a curve, seen as its projection, meets boundaries. */
function findCuts(
  curve: Curve,
  flat: Curve | undefined,
  boundaries: readonly (Curve | undefined)[],
  tolerance: number,
): number[] | undefined {
  const flatPieces = flat ? listPieces(flat) : []
  const pieces = listPieces(curve)
  const walls = boundaries.flatMap((boundary) => (boundary ? listPieces(boundary) : []))
  const cuts: number[] = []
  for (const [i, { shape, start, end }] of pieces.entries()) {
    const own = flatPieces[i]?.shape
    // The projection of an arc has other parameters.
    if (own?.type !== shape.type || flatPieces.length !== pieces.length) return undefined
    const range = getCurveDomain(own)
    for (const wall of walls) {
      checkpoint()
      const meets = findMeets(own, wall.shape, tolerance)
      if (!meets) return undefined
      for (const { a } of meets) {
        cuts.push(start + ((a - range.start) / (range.end - range.start)) * (end - start))
      }
    }
  }
  return flat ? withoutRepeats(flat, getCurveDomain(curve), cuts, tolerance) : undefined
}

/** Cuts that are one place count once; those at an end are at the end. */
function withoutRepeats(
  flat: Curve,
  { start, end }: { start: number; end: number },
  cuts: readonly number[],
  tolerance: number,
): number[] {
  const own = getCurveDomain(flat)
  const toPlace = (t: number) =>
    getPoint(flat, own.start + ((t - start) / (end - start)) * (own.end - own.start))
  const isSame = (one: number, other: number) =>
    Math.abs(one - other) <= 1e-2 * (end - start) && distance(toPlace(one), toPlace(other)) <= 2 * tolerance
  const distinct: number[] = []
  for (const cut of cuts.toSorted((a, b) => a - b)) {
    const t = isSame(cut, start) ? start : isSame(cut, end) ? end : cut
    const last = distinct.at(-1)
    if (last === undefined || !isSame(last, t)) distinct.push(t)
  }
  return distinct
}
