import { computeVertexNormals } from '../geometry/meshes/vertex-normals.ts'
import { isTriangle, type Mesh, type MeshFace } from '../values/mesh.ts'
import { distance } from '../values/vector.ts'
import { addVertex, type Drawing } from './drawing.ts'

/** More lines than this only darken the drawing. */
const MAX_EDGES = 100_000

export function drawMesh(drawing: Drawing, mesh: Mesh): void {
  const normals = mesh.normals ?? computeVertexNormals(mesh)
  const first = drawing.positions.length / 3
  for (const [i, vertex] of mesh.vertices.entries()) addVertex(drawing, vertex, normals[i]!)
  for (const face of mesh.faces) {
    for (const corner of listTriangles(mesh, face)) drawing.triangles.push(first + corner)
  }
  drawing.edges.push(...listEdges(mesh))
}

/** A quad is split along its shorter diagonal. */
function listTriangles({ vertices }: Mesh, face: MeshFace): number[] {
  const { a, b, c, d } = face
  if (isTriangle(face)) return [a, b, c]
  const isFirstShorter = distance(vertices[a]!, vertices[c]!) <= distance(vertices[b]!, vertices[d]!)
  return isFirstShorter ? [a, b, c, a, c, d] : [a, b, d, b, c, d]
}

/** Each edge once, for any number of faces. */
function listEdges({ vertices, faces }: Mesh): Drawing['edges'] {
  const seen = new Set<number>()
  const edges: Drawing['edges'] = []
  for (const face of faces) {
    const corners = isTriangle(face) ? [face.a, face.b, face.c] : [face.a, face.b, face.c, face.d]
    for (const [i, from] of corners.entries()) {
      const to = corners[(i + 1) % corners.length]!
      const key = Math.min(from, to) * vertices.length + Math.max(from, to)
      if (seen.has(key)) continue
      seen.add(key)
      edges.push([vertices[from]!, vertices[to]!])
      if (edges.length === MAX_EDGES) return edges
    }
  }
  return edges
}
