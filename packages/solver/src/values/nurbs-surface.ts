import type { Xyz } from './points.ts'

/**
 * A whole NURBS surface. `points[i][j]` is row i along u, column j along v. Knots as in `NurbsCurve`, and weights
 * likewise left out when all are one. A sphere, a cylinder and a plane are rational or linear ones of these.
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
