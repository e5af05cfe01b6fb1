import type { Xyz } from './values/points.ts'
import { addScaled, ORIGIN, scale, subtract } from './values/vector.ts'

/** A unit vector, and the sum of the squared distances of points from their middle along it. */
interface SpreadAxis {
  readonly axis: Xyz
  readonly spread: number
}

/** Spreads below this fraction of the largest one count as zero. */
export const FLAT = 1e-12

/** The middle of points, and their principal axes in ascending order of spread. */
export function findPrincipalAxes(points: readonly Xyz[]): { middle: Xyz; axes: readonly SpreadAxis[] } {
  const middle = scale(
    points.reduce((sum, point) => addScaled(sum, point, 1), ORIGIN),
    1 / points.length,
  )
  return { middle, axes: listAxes(points.map((point) => subtract(point, middle))) }
}

function listAxes(offsets: readonly Xyz[]): SpreadAxis[] {
  const sum = (f: (offset: Xyz) => number) => offsets.reduce((total, offset) => total + f(offset), 0)
  const [xy, xz, yz] = [sum(({ x, y }) => x * y), sum(({ x, z }) => x * z), sum(({ y, z }) => y * z)]
  const matrix = [
    [sum(({ x }) => x * x), xy, xz],
    [xy, sum(({ y }) => y * y), yz],
    [xz, yz, sum(({ z }) => z * z)],
  ]
  const axes = diagonalise(matrix)
  return axes
    .map(([x = 0, y = 0, z = 0], i) => ({ axis: { x, y, z }, spread: matrix[i]?.[i] ?? 0 }))
    .sort((a, b) => a.spread - b.spread)
}

const ROUNDS = 50
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const

/**
 * Diagonalises a symmetric 3 by 3 matrix in place and returns the axes as rows.
 * Source: Jacobi's method, Golub and Van Loan, Matrix Computations, 8.5.
 */
function diagonalise(matrix: number[][]): number[][] {
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  const at = (i: number, j: number) => (matrix[i] as number[])[j] as number
  for (let round = 0; round < ROUNDS; round++) {
    const off = PAIRS.reduce((total, [p, q]) => total + Math.abs(at(p, q)), 0)
    const on = Math.abs(at(0, 0)) + Math.abs(at(1, 1)) + Math.abs(at(2, 2))
    if (off <= 1e-18 * on) break
    for (const [p, q] of PAIRS) {
      if (at(p, q) === 0) continue
      const theta = (at(q, q) - at(p, p)) / (2 * at(p, q))
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1))
      const c = 1 / Math.hypot(t, 1)
      rotateRows(matrix, p, q, c, t * c)
      for (const row of matrix) rotatePair(row, p, q, c, t * c)
      rotateRows(axes, p, q, c, t * c)
    }
  }
  return axes
}

/** Applies a Givens rotation to two rows. */
function rotateRows(rows: number[][], p: number, q: number, c: number, s: number): void {
  const [a, b] = [rows[p] as number[], rows[q] as number[]]
  rows[p] = a.map((value, i) => c * value - s * (b[i] as number))
  rows[q] = b.map((value, i) => s * (a[i] as number) + c * value)
}

function rotatePair(row: number[], p: number, q: number, c: number, s: number): void {
  const [a, b] = [row[p] as number, row[q] as number]
  row[p] = c * a - s * b
  row[q] = s * a + c * b
}
