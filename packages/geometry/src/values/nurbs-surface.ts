import type { Xyz } from './points.ts'

/**
 * An untrimmed NURBS surface. `points[i][j]` is row i along u, column j along v. Knots as in `NurbsCurve`;
 * weights are omitted when all are one.
 */
export interface NurbsSurface {
  readonly type: 'nurbsSurface'
  readonly degreeU: number
  readonly degreeV: number
  readonly points: readonly (readonly Xyz[])[]
  readonly weights?: readonly (readonly number[])[]
  readonly knotsU: readonly number[]
  readonly knotsV: readonly number[]
}
