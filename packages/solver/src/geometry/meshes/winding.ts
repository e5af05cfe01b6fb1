import { checkpoint } from '../../budget/budget.ts'
import type { Mesh } from '../../values/mesh.ts'
import type { Xyz } from '../../values/points.ts'
import { cross, dot, length, subtract } from '../../values/vector.ts'
import { listTriangles } from './face-geometry.ts'

/**
 * Whether a closed mesh winds around a point, in any direction: by the solid angle under which the point sees the mesh,
 * which is 4π times the number of windings. For points on the mesh the result is arbitrary.
 * Source: A. van Oosterom and J. Strackee, The Solid Angle of a Plane Triangle, 1983.
 */
export function isInsideMesh(mesh: Mesh, point: Xyz): boolean {
  let angle = 0
  for (const face of mesh.faces) {
    checkpoint()
    for (const [p, q, r] of listTriangles(mesh, face)) {
      const [a, b, c] = [subtract(p, point), subtract(q, point), subtract(r, point)]
      const [la, lb, lc] = [length(a), length(b), length(c)]
      const below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb
      angle += 2 * Math.atan2(dot(a, cross(b, c)), below)
    }
  }
  return Math.abs(angle) > 2 * Math.PI
}
