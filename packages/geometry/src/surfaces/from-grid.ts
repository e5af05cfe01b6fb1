import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Xyz } from '../values/points.ts'

const MAX_DEGREE = 3

/**
 * The surface of a grid of control points, `rows[i]` along v at index i along u, with domains from 0 to 1.
 */
export function createFromControlPoints(rows: readonly (readonly Xyz[])[]): NurbsSurface {
  const [countU, countV] = [rows.length, rows[0]?.length ?? 0]
  const [degreeU, degreeV] = [Math.min(MAX_DEGREE, countU - 1), Math.min(MAX_DEGREE, countV - 1)]
  return {
    type: 'nurbsSurface',
    degreeU,
    degreeV,
    points: rows,
    knotsU: createKnots(countU, degreeU),
    knotsV: createKnots(countV, degreeV),
  }
}

function createKnots(count: number, degree: number): number[] {
  const spans = count - degree
  return Array.from({ length: count + degree - 1 }, (_, i) =>
    Math.min(Math.max((i - degree + 1) / spans, 0), 1),
  )
}
