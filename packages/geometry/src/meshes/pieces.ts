import { checkpoint } from '../budget/budget.ts'
import { type Mesh, quad } from '../values/mesh.ts'
import { createGroups } from './disjoint-sets.ts'
import { getFaceCentre, listIndices } from './face-geometry.ts'
import { getMeshVolume } from './mesh-mass.ts'
import { joinMeshes } from './rearrange.ts'
import { createMeshTopology } from './topology.ts'
import { getMeshWinding } from './winding.ts'

/**
 * The pieces of a mesh whose faces are connected by edges, where edges with the same end points are the same one. In the
 * order of their first faces; faces and vertices keep their order. Vertices without a face are left out.
 */
export function listMeshPieces(mesh: Mesh): Mesh[] {
  const groups = createGroups(mesh.faces.length)
  for (const { faces } of createMeshTopology(mesh).edges) {
    for (const face of faces) groups.join(faces[0]!, face)
  }
  const members = new Map<number, number[]>()
  for (let face = 0; face < mesh.faces.length; face++) {
    const group = groups.find(face)
    const others = members.get(group)
    if (others) others.push(face)
    else members.set(group, [face])
  }
  return members.size === 1 ? [pickFaces(mesh, [...members.values()][0]!)] : pickAll(mesh, members)
}

function pickAll(mesh: Mesh, members: ReadonlyMap<number, readonly number[]>): Mesh[] {
  return [...members.values()].map((faces) => pickFaces(mesh, faces))
}

/** A part of a mesh: some of its faces and the vertices that they have, in their order. */
export function pickFaces(mesh: Mesh, faces: readonly number[]): Mesh {
  checkpoint(faces.length)
  const used = [...new Set(faces.flatMap((face) => listIndices(mesh.faces[face]!)))].sort((a, b) => a - b)
  const numbers = new Map(used.map((vertex, i) => [vertex, i]))
  const find = (vertex: number) => numbers.get(vertex)!
  const { vertices, colours, normals } = mesh
  return {
    type: 'mesh',
    vertices: used.map((i) => vertices[i]!),
    faces: faces.map((face) => {
      const { a, b, c, d } = mesh.faces[face]!
      return quad(find(a), find(b), find(c), find(d))
    }),
    ...(colours ? { colours: used.map((i) => colours[i]!) } : {}),
    ...(normals ? { normals: used.map((i) => normals[i]!) } : {}),
  }
}

/**
 * The solids that a closed mesh consists of: each piece whose faces look outwards, with the cavities inside it, whose
 * faces look inwards.
 */
export function listSolids(mesh: Mesh): Mesh[] {
  const pieces = listMeshPieces(mesh).map((piece) => ({ piece, volume: getMeshVolume(piece).size }))
  const solids = pieces
    .filter(({ volume }) => volume > 0)
    .map(({ piece, volume }) => ({ piece, volume, cavities: [] as Mesh[] }))
  const bySize = solids.toSorted((a, b) => a.volume - b.volume)
  for (const { piece, volume } of pieces) {
    if (volume > 0) continue
    checkpoint(solids.length)
    const around = bySize.find((solid) => solid.volume > -volume && isInsidePiece(solid.piece, piece))
    around?.cavities.push(piece)
  }
  return solids.map(({ piece, cavities }) =>
    cavities.length === 0 ? piece : joinMeshes([piece, ...cavities]),
  )
}

/** Pieces do not cross each other, but may touch: the first point of the one that is not on the other decides. */
function isInsidePiece(outer: Mesh, inner: Mesh): boolean {
  const centres = inner.faces.map((face) => getFaceCentre(inner, face))
  for (const point of [...inner.vertices, ...centres]) {
    const turns = getMeshWinding(outer, point)
    if (Math.abs(turns - Math.round(turns)) < 1e-6) return Math.round(turns) !== 0
  }
  return false
}
