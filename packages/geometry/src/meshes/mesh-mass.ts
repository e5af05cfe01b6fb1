import type { Mass } from '../breps/mass.ts'
import type { Mesh } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { add, addScaled, cross, dot, length, ORIGIN, scale, subtract } from '../values/vector.ts'
import { listTriangles } from './face-geometry.ts'

/** The area of all faces and its first moment. */
export function getMeshArea(mesh: Mesh): Mass {
  let size = 0
  let moment = ORIGIN
  for (const [a, b, c] of trianglesOf(mesh)) {
    const area = length(cross(subtract(b, a), subtract(c, a))) / 2
    size += area
    moment = addScaled(moment, add(add(a, b), c), area / 3)
  }
  return { size, moment }
}

/** The enclosed volume; negative for a mesh with inward normals, meaningless for an open mesh. */
export function getMeshVolume(mesh: Mesh): Mass {
  // Points are relative to one of the mesh, to keep precision far from the origin.
  const origin = mesh.vertices[0] ?? ORIGIN
  let size = 0
  let moment = ORIGIN
  for (const corners of trianglesOf(mesh)) {
    const [a, b, c] = corners.map((corner) => subtract(corner, origin)) as [Xyz, Xyz, Xyz]
    const volume = dot(a, cross(b, c)) / 6
    size += volume
    moment = addScaled(moment, add(add(a, b), c), volume / 4)
  }
  return { size, moment: add(moment, scale(origin, size)) }
}

function* trianglesOf(mesh: Mesh) {
  for (const face of mesh.faces) yield* listTriangles(mesh, face)
}
