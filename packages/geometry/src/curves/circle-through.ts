import { type Circle, circle } from '../values/curves.ts'
import { findPlaneAcross } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import { add, addScaled, cross, distance, dot, scale, subtract } from '../values/vector.ts'

/** Returns the circle through three points, from the first of them towards the second; undefined for points on a line. */
export function findCircleThrough(a: Xyz, b: Xyz, c: Xyz): Circle | undefined {
  const centre = findCircumcentre(a, b, c)
  const normal = cross(subtract(b, a), subtract(c, a))
  const plane = centre && findPlaneAcross(centre, normal, subtract(a, centre))
  return plane && circle(plane, distance(a, plane.origin))
}

/** Returns the centre of the circle through three points; undefined for collinear points. */
export function findCircumcentre(a: Xyz, b: Xyz, c: Xyz): Xyz | undefined {
  const [ab, ac] = [subtract(b, a), subtract(c, a)]
  const normal = cross(ab, ac)
  const square = dot(normal, normal)
  if (square <= 1e-12 * dot(ab, ab) * dot(ac, ac)) return undefined
  const sum = add(scale(cross(normal, ab), dot(ac, ac)), scale(cross(ac, normal), dot(ab, ab)))
  return addScaled(a, sum, 1 / (2 * square))
}
