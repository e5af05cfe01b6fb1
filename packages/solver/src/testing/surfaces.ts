import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'

/** A surface that is bent both ways, highest in its middle, over a square from 0 to 4. */
export const DOME: NurbsSurface = {
  type: 'nurbsSurface',
  degreeU: 2,
  degreeV: 2,
  points: [
    [0, 1, 0],
    [1, 3, 1],
    [0, 1, 0],
  ].map((row, i) => row.map((z, j) => ({ x: 2 * j, y: 2 * i, z }))),
  knotsU: [0, 0, 1, 1],
  knotsV: [0, 0, 1, 1],
}
