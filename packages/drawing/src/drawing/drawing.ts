import type { Xyz } from '@meadow/geometry/values/points'

/** A geometry as triangles, lines and points for display. Not accurate enough for measuring. */
export interface Drawing {
  /** Three numbers for each vertex. */
  positions: number[]
  /** Unit vectors, three numbers for each vertex. */
  normals: number[]
  /** Three vertices for each triangle, counter-clockwise as seen from outside. */
  triangles: number[]
  /** The edges of breps, and the borders of surfaces. */
  edges: (readonly Xyz[])[]
  /** Lines of constant u or v on curved faces, as many as show their shape. */
  isocurves: (readonly Xyz[])[]
  /** The edges of mesh faces. */
  meshEdges: (readonly Xyz[])[]
  curves: (readonly Xyz[])[]
  points: Xyz[]
  /** Whether the triangles enclose a volume. */
  isClosed: boolean
}

export const createDrawing = (): Drawing => ({
  positions: [],
  normals: [],
  triangles: [],
  edges: [],
  isocurves: [],
  meshEdges: [],
  curves: [],
  points: [],
  isClosed: false,
})

/** Adds a vertex and returns its index. */
export function addVertex({ positions, normals }: Drawing, point: Xyz, normal: Xyz): number {
  positions.push(point.x, point.y, point.z)
  normals.push(normal.x, normal.y, normal.z)
  return positions.length / 3 - 1
}
