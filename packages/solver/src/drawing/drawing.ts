import type { Xyz } from '../values/points.ts'

/** A geometry as triangles, lines and points for display. Not accurate enough for measuring. */
export interface Drawing {
  /** Three numbers for each vertex. */
  positions: number[]
  /** Unit vectors, three numbers for each vertex. */
  normals: number[]
  /** Three vertices for each triangle, counter-clockwise as seen from outside. */
  triangles: number[]
  /** The edges of breps and meshes. */
  edges: (readonly Xyz[])[]
  curves: (readonly Xyz[])[]
  points: Xyz[]
}

export const createDrawing = (): Drawing => ({
  positions: [],
  normals: [],
  triangles: [],
  edges: [],
  curves: [],
  points: [],
})

/** Adds a vertex and returns its index. */
export function addVertex({ positions, normals }: Drawing, point: Xyz, normal: Xyz): number {
  positions.push(point.x, point.y, point.z)
  normals.push(normal.x, normal.y, normal.z)
  return positions.length / 3 - 1
}
