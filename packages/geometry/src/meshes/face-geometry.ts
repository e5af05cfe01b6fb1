import { isTriangle, type Mesh, type MeshFace } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { add, cross, findUnit, ORIGIN, scale, subtract } from '../values/vector.ts'

/** The points of a face's corners, three or four. Fails where the face names a vertex that is not there. */
export function getCorners({ vertices }: Mesh, face: MeshFace): Xyz[] {
  return listIndices(face).map((index) => {
    const vertex = vertices[index]
    if (!vertex) throw new Error(`A mesh face names vertex ${index}, which is not there`)
    return vertex
  })
}

/** The corners by index in the mesh's vertices, three or four. */
export function listIndices(face: MeshFace): number[] {
  return isTriangle(face) ? [face.a, face.b, face.c] : [face.a, face.b, face.c, face.d]
}

/** The mean of the corners. */
export function getFaceCentre(mesh: Mesh, face: MeshFace): Xyz {
  const corners = getCorners(mesh, face)
  return scale(corners.reduce(add, ORIGIN), 1 / corners.length)
}

/**
 * The unit normal, perpendicular to both diagonals; undefined for a face without area.
 * Source: `ON_Mesh::ComputeFaceNormal` of openNURBS. In a triangle the last corner counts twice.
 */
export function findFaceNormal(mesh: Mesh, face: MeshFace): Xyz | undefined {
  const [a, b, c, d = c] = getCorners(mesh, face) as [Xyz, Xyz, Xyz, Xyz?]
  return findUnit(cross(subtract(c, a), subtract(d, b)))
}

/**
 * The triangles of a face: a quad is split along its first diagonal, as in the area and volume of `ON_Mesh`.
 */
export function listTriangles(mesh: Mesh, face: MeshFace): (readonly [Xyz, Xyz, Xyz])[] {
  const [a, b, c, d] = getCorners(mesh, face) as [Xyz, Xyz, Xyz, Xyz?]
  return d
    ? [
        [a, b, c],
        [a, c, d],
      ]
    : [[a, b, c]]
}
