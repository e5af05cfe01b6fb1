import type { NurbsCurve } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Xyz } from '../values/points.ts'

/** Column j of the control points as a curve along u. */
export function getColumn({ points, weights, degreeU, knotsU }: NurbsSurface, j: number): NurbsCurve {
  return {
    type: 'nurbsCurve',
    degree: degreeU,
    points: points.map((row) => row[j] as Xyz),
    ...(weights ? { weights: weights.map((row) => row[j] as number) } : {}),
    knots: knotsU,
  }
}

/** Row i of the control points as a curve along v. */
export function getRow({ points, weights, degreeV, knotsV }: NurbsSurface, i: number): NurbsCurve {
  return {
    type: 'nurbsCurve',
    degree: degreeV,
    points: points[i] as readonly Xyz[],
    ...(weights ? { weights: weights[i] as readonly number[] } : {}),
    knots: knotsV,
  }
}

/** A surface from rows along v with the same degree and knots. */
export function fromRows(
  rows: readonly NurbsCurve[],
  degreeU: number,
  knotsU: readonly number[],
): NurbsSurface {
  const [first] = rows
  const isRational = rows.some(({ weights }) => weights)
  return {
    type: 'nurbsSurface',
    degreeU,
    degreeV: first?.degree ?? 1,
    points: rows.map(({ points }) => points),
    ...(isRational ? { weights: rows.map(({ weights, points }) => weights ?? points.map(() => 1)) } : {}),
    knotsU,
    knotsV: first?.knots ?? [],
  }
}

/** Swaps u and v, which reverses the normal. */
export function transpose(surface: NurbsSurface): NurbsSurface {
  const swap = <T>(rows: readonly (readonly T[])[]): T[][] =>
    (rows[0] ?? []).map((_, j) => rows.map((row) => row[j] as T))
  return {
    type: 'nurbsSurface',
    degreeU: surface.degreeV,
    degreeV: surface.degreeU,
    points: swap(surface.points),
    ...(surface.weights ? { weights: swap(surface.weights) } : {}),
    knotsU: surface.knotsV,
    knotsV: surface.knotsU,
  }
}
