import { findPlaneFromNormal, toLocal } from '../../values/planes.ts'
import type { Plane, Xyz } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { add, cross, length, ORIGIN, subtract } from '../../values/vector.ts'
import { listPieces } from './pieces.ts'
import { toNurbs } from './to-nurbs.ts'
import { findVertices } from './vertices.ts'

/** The plane in which a curve lies to the tolerance; undefined for one that lies in none or, as a line, in many. */
export function findCurvePlane(curve: Curve, tolerance: number): Plane | undefined {
  if (curve.type === 'circle' || curve.type === 'arc' || curve.type === 'rectangle') return curve.plane
  const points = findVertices(curve) ?? toNurbs(curve).points
  const plane = findOwnPlane(curve) ?? findPlaneThrough(points)
  return plane && points.every((point) => Math.abs(toLocal(plane, point).z) <= tolerance) ? plane : undefined
}

function findOwnPlane(curve: Curve): Plane | undefined {
  const arc = listPieces(curve).find(({ shape }) => shape.type === 'arc')?.shape
  return arc?.type === 'arc' ? arc.plane : undefined
}

/** Square to the sum of the areas that the points go around (Newell's method); for open ones as if closed. */
function findPlaneThrough(points: readonly Xyz[]): Plane | undefined {
  const [first] = points
  if (!first) return undefined
  let normal = ORIGIN
  let largest = ORIGIN
  for (let i = 2; i < points.length; i++) {
    const area = cross(subtract(points[i - 1] as Xyz, first), subtract(points[i] as Xyz, first))
    normal = add(normal, area)
    if (length(area) > length(largest)) largest = area
  }
  const size = length(largest)
  // Loops that cross themselves can sum up to nothing.
  return size === 0 ? undefined : findPlaneFromNormal(first, length(normal) > 1e-9 * size ? normal : largest)
}
