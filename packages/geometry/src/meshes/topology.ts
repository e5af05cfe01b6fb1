import { checkpoint } from '../budget/budget.ts'
import type { Mesh } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { listIndices } from './face-geometry.ts'

/** Two topological vertices with the faces on both sides. `start` is the smaller one. */
export interface MeshEdge {
  readonly start: number
  readonly end: number
  /** Indices of faces, ascending. */
  readonly faces: readonly number[]
}

/** The topology of a mesh, with coincident vertices merged. */
export interface MeshTopology {
  /** The topological vertex of each vertex. */
  readonly vertexMap: readonly number[]
  /** The topological vertices, in the order of their first occurrence. */
  readonly points: readonly Xyz[]
  /** The edges, sorted by their start, then by their end. */
  readonly edges: readonly MeshEdge[]
}

/** Source: `ON_MeshTopology` of openNURBS; its order of vertices and edges was compared with rhino3dm. */
export function createMeshTopology(mesh: Mesh): MeshTopology {
  const { vertexMap, points } = mergeVertices(mesh.vertices)
  const edges = new Map<string, { start: number; end: number; faces: number[] }>()
  mesh.faces.forEach((face, faceIndex) => {
    checkpoint()
    const corners = listIndices(face).map((index) => vertexMap[index] ?? -1)
    corners.forEach((from, i) => {
      const to = corners[(i + 1) % corners.length] as number
      if (from === to) return
      const [start, end] = from < to ? [from, to] : [to, from]
      const key = `${start},${end}`
      const edge = edges.get(key)
      if (!edge) edges.set(key, { start, end, faces: [faceIndex] })
      else if (edge.faces.at(-1) !== faceIndex) edge.faces.push(faceIndex)
    })
  })
  return {
    vertexMap,
    points: points,
    edges: [...edges.values()].sort((a, b) => a.start - b.start || a.end - b.end),
  }
}

function mergeVertices(vertices: readonly Xyz[]) {
  const known = new Map<string, number>()
  const points: Xyz[] = []
  const vertexMap = vertices.map((vertex) => {
    // Adding zero turns a negative zero into the other one.
    const key = `${vertex.x + 0},${vertex.y + 0},${vertex.z + 0}`
    const index = known.get(key) ?? points.push(vertex) - 1
    known.set(key, index)
    return index
  })
  return { vertexMap, points }
}

/**
 * The faces that look to the other side than the first face of their piece, by the directions in which neighbours pass
 * their common edges. Edges with more than two faces say nothing.
 */
export function listMisturned(mesh: Mesh): number[] {
  const { vertexMap, edges } = createMeshTopology(mesh)
  const neighbours = mesh.faces.map((): { face: number; isOpposite: boolean }[] => [])
  const runsForwards = (face: number, start: number, end: number) => {
    const corners = listIndices(mesh.faces[face]!).map((index) => vertexMap[index])
    return corners.some((corner, i) => corner === start && corners[(i + 1) % corners.length] === end)
  }
  for (const { start, end, faces } of edges) {
    const [one, other] = faces
    if (faces.length !== 2) continue
    const isOpposite = runsForwards(one!, start, end) === runsForwards(other!, start, end)
    neighbours[one!]!.push({ face: other!, isOpposite })
    neighbours[other!]!.push({ face: one!, isOpposite })
  }
  const isTurned: (boolean | undefined)[] = mesh.faces.map(() => undefined)
  for (const first of mesh.faces.keys()) {
    if (isTurned[first] !== undefined) continue
    isTurned[first] = false
    const open = [first]
    for (let face = open.pop(); face !== undefined; face = open.pop()) {
      checkpoint()
      for (const next of neighbours[face]!) {
        if (isTurned[next.face] !== undefined) continue
        isTurned[next.face] = isTurned[face] !== next.isOpposite
        open.push(next.face)
      }
    }
  }
  return [...isTurned.keys()].filter((face) => isTurned[face])
}
