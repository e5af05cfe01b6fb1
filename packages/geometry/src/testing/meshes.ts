import { createMeshTopology } from '../meshes/topology.ts'
import { type Mesh, quad, triangle } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'

/** A box whose six quads have vertices of their own and look outwards, as Rhino makes it. */
export function createBoxMesh(corner: Xyz, size: Xyz): Mesh {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({
    x: corner.x + size.x * (i & 1),
    y: corner.y + size.y * ((i >> 1) & 1),
    z: corner.z + size.z * (i >> 2),
  }))
  const sides = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ]
  return {
    type: 'mesh',
    vertices: sides.flat().map((i) => corners[i]!),
    faces: sides.map((_, i) => quad(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3)),
  }
}

/** A sphere of triangles that look outwards, with `2 * count` of them around and `count` from pole to pole. */
export function createBallMesh(centre: Xyz, radius: number, count: number): Mesh {
  const at = (i: number, j: number): Xyz => {
    const [longitude, latitude] = [(Math.PI * i) / count, (Math.PI * j) / count - Math.PI / 2]
    return {
      x: centre.x + radius * Math.cos(longitude) * Math.cos(latitude),
      y: centre.y + radius * Math.sin(longitude) * Math.cos(latitude),
      z: centre.z + radius * Math.sin(latitude),
    }
  }
  const around = 2 * count
  const rings = Array.from({ length: count - 1 }, (_, j) =>
    Array.from({ length: around }, (_, i) => at(i, j + 1)),
  )
  const [south, north] = [(count - 1) * around, (count - 1) * around + 1]
  const next = (i: number) => (i + 1) % around
  const faces = Array.from({ length: around }, (_, i) => [
    triangle(south, next(i), i),
    ...Array.from({ length: count - 2 }, (_, j) => [
      triangle(j * around + i, j * around + next(i), (j + 1) * around + next(i)),
      triangle(j * around + i, (j + 1) * around + next(i), (j + 1) * around + i),
    ]).flat(),
    triangle(north, (count - 2) * around + i, (count - 2) * around + next(i)),
  ]).flat()
  const pole = (z: number): Xyz => ({ ...centre, z: centre.z + z })
  return { type: 'mesh', vertices: [...rings.flat(), pole(-radius), pole(radius)], faces }
}

/** Whether each edge has two faces, or four where two parts touch. */
export function isClosedMesh(mesh: Mesh): boolean {
  return createMeshTopology(mesh).edges.every(({ faces }) => faces.length % 2 === 0)
}

/** Vertices, without repeated ones, minus edges plus faces: 2 for each surface like a sphere, 0 for a ring. */
export function getEulerCharacteristic(mesh: Mesh): number {
  const { points, edges } = createMeshTopology(mesh)
  return points.length - edges.length + mesh.faces.length
}
