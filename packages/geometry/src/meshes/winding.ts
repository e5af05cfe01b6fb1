import { checkpoint } from '../budget/budget.ts'
import type { Mesh } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { cross, dot, length, subtract } from '../values/vector.ts'
import { listTriangles } from './face-geometry.ts'

/** Whether a closed mesh winds around a point, in any direction. For points on the mesh the result is arbitrary. */
export function isInsideMesh(mesh: Mesh, point: Xyz): boolean {
  return Math.abs(getMeshWinding(mesh, point)) > 0.5
}

/**
 * Returns how often a closed mesh winds around a point: the solid angle under which the point sees the mesh, by 4π.
 * This is a whole number, except for points on the mesh.
 * Source: A. van Oosterom and J. Strackee, The Solid Angle of a Plane Triangle, 1983.
 */
export function getMeshWinding(mesh: Mesh, point: Xyz): number {
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
  return angle / (4 * Math.PI)
}
