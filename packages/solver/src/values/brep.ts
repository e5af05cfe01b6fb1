import type { NurbsCurve, Polyline } from './curves.ts'
import type { NurbsSurface } from './nurbs-surface.ts'
import type { Xyz } from './points.ts'
import type { Curve } from './value.ts'

/**
 * Faces that share edges, as openNURBS does it: an edge that two faces use is listed once, so which edges are
 * naked (one trim) and whether the whole is closed (no naked edge) can be read off.
 */
export interface Brep {
  readonly type: 'brep'
  readonly vertices: readonly Xyz[]
  readonly edges: readonly BrepEdge[]
  readonly faces: readonly BrepFace[]
}

/** `start` and `end` are points in `vertices`; equal for a closed edge. */
export interface BrepEdge {
  readonly curve: Curve
  readonly start: number
  readonly end: number
}

/** A surface inside its outer loop and outside its inner ones. */
export interface BrepFace {
  readonly surface: NurbsSurface
  /** The outside is against the surface's normal. */
  readonly isReversed: boolean
  /** The outer loop first. */
  readonly loops: readonly BrepLoop[]
}

export type BrepLoop = readonly BrepTrim[]

/** One side of a loop: a curve in the surface's parameters (z is 0), and the edge that it is in space. */
export interface BrepTrim {
  readonly curve: Polyline | NurbsCurve
  /** A point in `edges`; undefined at a pole, where the side is a single point in space. */
  readonly edge?: number
  /** The trim runs opposite to its edge. */
  readonly isReversed: boolean
}
