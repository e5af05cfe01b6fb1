import type { NurbsCurve, Polyline } from './curves.ts'
import type { NurbsSurface } from './nurbs-surface.ts'
import type { Xyz } from './points.ts'
import type { Curve } from './value.ts'

/**
 * Faces with shared edges, as in openNURBS: an edge of two faces is listed once, so naked edges (with one trim)
 * and closed breps (without naked edges) can be detected.
 */
export interface Brep {
  readonly type: 'brep'
  readonly vertices: readonly Xyz[]
  readonly edges: readonly BrepEdge[]
  readonly faces: readonly BrepFace[]
}

/** `start` and `end` are indices of `vertices`, equal for a closed edge. */
export interface BrepEdge {
  readonly curve: Curve
  readonly start: number
  readonly end: number
}

/** A surface inside its outer loop and outside its inner ones. */
export interface BrepFace {
  readonly surface: NurbsSurface
  /** The outside is opposite to the surface normal. */
  readonly isReversed: boolean
  /** The outer loop first. */
  readonly loops: readonly BrepLoop[]
}

export type BrepLoop = readonly BrepTrim[]

/** One side of a loop: a curve in the parameters of the surface (z is 0), and its edge in space. */
export interface BrepTrim {
  readonly curve: Polyline | NurbsCurve
  /** An index of `edges`; undefined at a pole, where the side is a single point in space. */
  readonly edge?: number
  /** The trim runs opposite to its edge. */
  readonly isReversed: boolean
}
