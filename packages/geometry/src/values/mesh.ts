import type { Xyz } from './points.ts'
import type { Colour } from './value.ts'

/** Vertex indices, from 0; a triangle repeats its third corner as `d`. */
export interface MeshFace {
  readonly type: 'meshFace'
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
}

export interface Mesh {
  readonly type: 'mesh'
  readonly vertices: readonly Xyz[]
  readonly faces: readonly MeshFace[]
  /** One per vertex, or none at all. */
  readonly colours?: readonly Colour[]
  /** Unit normals of the vertices, if known. */
  readonly normals?: readonly Xyz[]
}

export function triangle(a: number, b: number, c: number): MeshFace {
  return { type: 'meshFace', a, b, c, d: c }
}

export function quad(a: number, b: number, c: number, d: number): MeshFace {
  return { type: 'meshFace', a, b, c, d }
}

export function isTriangle({ c, d }: MeshFace): boolean {
  return c === d
}
