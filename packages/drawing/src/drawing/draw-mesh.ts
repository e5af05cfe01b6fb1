import { computeVertexNormals } from '@meadow/geometry/meshes/vertex-normals'
import { isTriangle, type Mesh, type MeshFace } from '@meadow/geometry/values/mesh'
import type { Xyz } from '@meadow/geometry/values/points'
import { distance } from '@meadow/geometry/values/vector'
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
  const { edges, isClosed } = listEdges(mesh)
  drawing.meshEdges.push(...edges)
  drawing.isClosed = isClosed
}

/** A quad is split along its shorter diagonal. */
function listTriangles({ vertices }: Mesh, face: MeshFace): number[] {
  const { a, b, c, d } = face
  if (isTriangle(face)) return [a, b, c]
  const isFirstShorter = distance(vertices[a]!, vertices[c]!) <= distance(vertices[b]!, vertices[d]!)
  return isFirstShorter ? [a, b, c, a, c, d] : [a, b, d, b, c, d]
}

/**
 * Lists each edge once, for any number of faces; a mesh is closed if every edge has two. Vertices at one place count as
 * one.
 */
function listEdges({ vertices, faces }: Mesh): { edges: Drawing['meshEdges']; isClosed: boolean } {
  const places = findPlaces(vertices)
  const uses = new Map<number, number>()
  const edges: Drawing['meshEdges'] = []
  for (const face of faces) {
    const corners = isTriangle(face) ? [face.a, face.b, face.c] : [face.a, face.b, face.c, face.d]
    for (const [i, from] of corners.entries()) {
      const to = corners[(i + 1) % corners.length]!
      const [start, end] = [places(from), places(to)]
      if (start === end) continue
      const key = Math.min(start, end) * vertices.length + Math.max(start, end)
      const known = uses.get(key) ?? 0
      uses.set(key, known + 1)
      if (known === 0 && edges.length < MAX_EDGES) edges.push([vertices[from]!, vertices[to]!])
    }
  }
  return { edges, isClosed: uses.size > 0 && [...uses.values()].every((count) => count === 2) }
}

/** With more vertices than this, each counts as a place of its own, since comparing them takes too long. */
const MAX_COMPARED = 200_000

/** The first vertex at the place of each vertex. */
function findPlaces(vertices: readonly Xyz[]): (vertex: number) => number {
  if (vertices.length > MAX_COMPARED) return (vertex) => vertex
  const firsts = new Map<string, number>()
  const places = vertices.map(({ x, y, z }, vertex) => {
    const key = `${x},${y},${z}`
    const first = firsts.get(key) ?? vertex
    firsts.set(key, first)
    return first
  })
  return (vertex) => places[vertex]!
}
