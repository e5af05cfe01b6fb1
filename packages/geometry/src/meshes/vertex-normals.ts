import type { Mesh } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { add, findUnit, ORIGIN, Z_AXIS } from '../values/vector.ts'
import { findFaceNormal, listIndices } from './face-geometry.ts'

/**
 * Vertex normals: the normalised sum of the unit normals of adjacent faces, the z axis for a vertex without a
 * face with area. Source: `ON_Mesh::ComputeVertexNormals`, compared with rhino3dm.
 */
export function computeVertexNormals(mesh: Mesh): Xyz[] {
  const sums: Xyz[] = mesh.vertices.map(() => ORIGIN)
  for (const face of mesh.faces) {
    const normal = findFaceNormal(mesh, face)
    if (!normal) continue
    for (const index of listIndices(face)) sums[index] = add(sums[index] ?? ORIGIN, normal)
  }
  return sums.map((sum) => findUnit(sum) ?? Z_AXIS)
}

/** The mesh with recomputed vertex normals. */
export function withNormals(mesh: Mesh): Mesh {
  return { ...mesh, normals: computeVertexNormals(mesh) }
}
