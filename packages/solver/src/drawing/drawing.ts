import type { Xyz } from '../values/points.ts'

/** What is to be seen of a geometry, as simple things: good to look at, not to measure. */
export interface Drawing {
  /** Three numbers for each vertex. */
  positions: number[]
  /** The same, of length one. */
  normals: number[]
  /** Three vertices for each triangle, counter-clockwise as seen from outside. */
  triangles: number[]
  /** The edges of bodies. */
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

/** Adds a vertex and tells its number. */
export function addVertex({ positions, normals }: Drawing, point: Xyz, normal: Xyz): number {
  positions.push(point.x, point.y, point.z)
  normals.push(normal.x, normal.y, normal.z)
  return positions.length / 3 - 1
}
