import { checkpoint } from '../budget/budget.ts'
import { type Mesh, quad } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { dot } from '../values/vector.ts'
import { createGroups } from './disjoint-sets.ts'
import { findFaceNormal, listIndices } from './face-geometry.ts'
import { createMeshTopology } from './topology.ts'
import { withNormals } from './vertex-normals.ts'

/**
 * Merges the vertices of an edge between two faces where their angle is at most `angle`. Vertices keep the
 * order of their first occurrence.
 */
export function weld(mesh: Mesh, angle: number): Mesh {
  const groups = createGroups(mesh.vertices.length)
  const corners = mesh.faces.map(listIndices)
  for (const [one, other] of listNeighbours(mesh, angle, 'up to')) {
    for (const [a, b] of one.map((corner, i) => [corner, other[i]] as const)) {
      groups.join(getIndex(corners, a), getIndex(corners, b as Corner))
    }
  }
  return regroup(
    mesh,
    mesh.vertices.map((_, i) => groups.find(i)),
    corners,
  )
}

/** Separates the vertices of an edge between two faces where their angle is at least `angle`. */
export function unweld(mesh: Mesh, angle: number): Mesh {
  const corners = mesh.faces.map(listIndices)
  const starts = listStarts(corners)
  const count = corners.reduce((sum, { length }) => sum + length, 0)
  const groups = createGroups(count)
  for (const [one, other] of listNeighbours(mesh, angle, 'below')) {
    for (const [i, a] of one.entries()) {
      const b = other[i] as Corner
      if (getIndex(corners, a) === getIndex(corners, b))
        groups.join(addVertex(starts, a), addVertex(starts, b))
    }
  }
  const split = corners.map((face, f) => face.map((_, c) => (starts[f] as number) + c))
  const sources = corners.flat()
  const spread: Mesh = {
    ...mesh,
    vertices: sources.map((i) => mesh.vertices[i] as Xyz),
    ...(mesh.colours ? { colours: sources.map((i) => mesh.colours![i]!) } : {}),
  }
  return regroup(
    spread,
    sources.map((_, i) => groups.find(i)),
    split,
  )
}

/** A face and the index of one of its corners. */
type Corner = readonly [face: number, corner: number]

/** The corners in both faces of each edge whose angle qualifies. */
function* listNeighbours(
  mesh: Mesh,
  angle: number,
  which: 'up to' | 'below',
): Generator<readonly [one: readonly Corner[], other: readonly Corner[]]> {
  const { vertexMap, edges } = createMeshTopology(mesh)
  const normals = mesh.faces.map((face) => findFaceNormal(mesh, face))
  const findCorner = (face: number, vertex: number): Corner => [
    face,
    listIndices(mesh.faces[face]!).findIndex((index) => vertexMap[index] === vertex),
  ]
  for (const { start, end, faces } of edges) {
    const [first, ...others] = faces
    if (first === undefined) continue
    for (const face of others) {
      checkpoint()
      const [a, b] = [normals[first], normals[face]]
      const between = a && b ? Math.acos(Math.min(1, Math.max(-1, dot(a, b)))) : 0
      if (which === 'up to' ? between > angle : between >= angle) continue
      yield [
        [findCorner(first, start), findCorner(first, end)],
        [findCorner(face, start), findCorner(face, end)],
      ]
    }
  }
}

function getIndex(corners: readonly (readonly number[])[], [face, corner]: Corner): number {
  return corners[face]![corner]!
}

function listStarts(corners: readonly (readonly number[])[]): number[] {
  let next = 0
  return corners.map(({ length }) => {
    next += length
    return next - length
  })
}

function addVertex(starts: readonly number[], [face, corner]: Corner): number {
  return starts[face]! + corner
}

/** One vertex for each group, at the position of its first member. */
function regroup(mesh: Mesh, groups: readonly number[], corners: readonly (readonly number[])[]): Mesh {
  const representatives = groups.flatMap((group, i) => (group === i ? [i] : []))
  const indices = new Map(representatives.map((group, i) => [group, i]))
  const find = (index: number) => indices.get(groups[index] as number) as number
  return withNormals({
    type: 'mesh',
    vertices: representatives.map((i) => mesh.vertices[i] as Xyz),
    faces: corners.map(([a = 0, b = 0, c = 0, d = c]) => quad(find(a), find(b), find(c), find(d))),
    ...(mesh.colours ? { colours: representatives.map((i) => mesh.colours![i]!) } : {}),
  })
}
