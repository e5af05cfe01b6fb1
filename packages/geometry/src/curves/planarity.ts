import { findPlaneFromNormal, toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { add, cross, length, ORIGIN, subtract } from '../values/vector.ts'
import { listPieces } from './pieces.ts'
import { toNurbs } from './to-nurbs.ts'
import { findVertices } from './vertices.ts'

/**
 * The plane of a curve within the tolerance; undefined for a curve that is not planar or, as a line, lies in
 * many planes.
 */
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

/** The normal by Newell's method; open curves are treated as closed. */
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
  // The areas of a loop that intersects itself may cancel out.
  return size === 0 ? undefined : findPlaneFromNormal(first, length(normal) > 1e-9 * size ? normal : largest)
}
