import type { Mesh, MeshFace } from '../values/mesh.ts'
import { isTriangle, quad, triangle } from '../values/mesh.ts'
import { type Colour, colour } from '../values/value.ts'
import { distance, scale } from '../values/vector.ts'
import { withNormals } from './vertex-normals.ts'

/** Combines meshes without welding. Colours and normals are kept if a mesh has them. */
export function joinMeshes(meshes: readonly Mesh[]): Mesh {
  const starts: number[] = []
  let count = 0
  for (const { vertices } of meshes) {
    starts.push(count)
    count += vertices.length
  }
  const joined: Mesh = {
    type: 'mesh',
    vertices: meshes.flatMap(({ vertices }) => vertices),
    faces: meshes.flatMap(({ faces }, i) => faces.map((face) => shiftFace(face, starts[i] as number))),
  }
  const coloured = meshes.some(({ colours }) => colours)
    ? { ...joined, colours: meshes.flatMap(listColours) }
    : joined
  return meshes.every(({ normals }) => normals)
    ? { ...coloured, normals: meshes.flatMap(({ normals }) => normals ?? []) }
    : withNormals(coloured)
}

function shiftFace({ a, b, c, d }: MeshFace, by: number): MeshFace {
  return quad(a + by, b + by, c + by, d + by)
}

/** A mesh without colours is drawn white among those that have some. */
function listColours({ colours, vertices }: Mesh): readonly Colour[] {
  return colours ?? vertices.map(() => colour(255, 255, 255))
}

/** Flips all faces: the corners in reverse order, with the same first corner. */
export function flipMesh(mesh: Mesh): Mesh {
  const { normals, ...rest } = mesh
  return {
    ...rest,
    faces: mesh.faces.map(flipFace),
    ...(normals ? { normals: normals.map((normal) => scale(normal, -1)) } : {}),
  }
}

const flipFace = ({ a, b, c, d, type }: MeshFace): MeshFace =>
  c === d ? triangle(a, c, b) : { type, a, b: d, c, d: b }

/** Flips some faces by their indices, and computes the normals again. */
export const flipFaces = (mesh: Mesh, flipped: ReadonlySet<number>): Mesh =>
  withNormals({ ...mesh, faces: mesh.faces.map((face, i) => (flipped.has(i) ? flipFace(face) : face)) })

/**
 * Splits each quad along its shorter diagonal, the first one if both are equal. The second triangles are
 * appended at the end, so that faces keep their indices. Source: `ON_Mesh::ConvertQuadsToTriangles`.
 */
export function triangulate(mesh: Mesh): { mesh: Mesh; count: number } {
  const halves: MeshFace[] = []
  const faces = mesh.faces.map((face) => {
    if (isTriangle(face)) return face
    const { a, b, c, d } = face
    const [p, q, r, s] = [a, b, c, d].map((index) => mesh.vertices[index])
    const isFirstShorter = !p || !q || !r || !s || distance(p, r) <= distance(q, s)
    halves.push(isFirstShorter ? triangle(a, c, d) : triangle(b, c, d))
    return isFirstShorter ? triangle(a, b, c) : triangle(a, b, d)
  })
  return { mesh: { ...mesh, faces: [...faces, ...halves] }, count: halves.length }
}
