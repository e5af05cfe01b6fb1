import type { Xyz } from '../values/points.ts'
import type { Transform } from '../values/value.ts'

/**
 * All transforms are affine: the last row is 0, 0, 0, 1, so no division is necessary. Rows are given in order,
 * as in `Transform`.
 */
export function createTransform(rows: readonly (readonly [number, number, number, number])[]): Transform {
  return { type: 'transform', matrix: [...rows.flat(), 0, 0, 0, 1] }
}

export const IDENTITY = createTransform([
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
])

/** One entry of a matrix. */
function at({ matrix }: Transform, row: number, column: number): number {
  return matrix[row * 4 + column] ?? 0
}

/** Transforms a point. */
export function transformPoint(transform: Transform, point: Xyz): Xyz {
  const moved = transformDirection(transform, point)
  return {
    x: moved.x + at(transform, 0, 3),
    y: moved.y + at(transform, 1, 3),
    z: moved.z + at(transform, 2, 3),
  }
}

/** Transforms a vector: translations do not apply. */
export function transformDirection(transform: Transform, { x, y, z }: Xyz): Xyz {
  return {
    x: at(transform, 0, 0) * x + at(transform, 0, 1) * y + at(transform, 0, 2) * z,
    y: at(transform, 1, 0) * x + at(transform, 1, 1) * y + at(transform, 1, 2) * z,
    z: at(transform, 2, 0) * x + at(transform, 2, 1) * y + at(transform, 2, 2) * z,
  }
}

/** The composition: `first`, then `second`. */
export function compose(first: Transform, second: Transform): Transform {
  const matrix = Array.from({ length: 16 }, (_, index) => {
    const [row, column] = [index >> 2, index & 3]
    let sum = 0
    for (let i = 0; i < 4; i++) sum += at(second, row, i) * at(first, i, column)
    return sum
  })
  return { type: 'transform', matrix }
}

/** The scale factor of volumes; negative for mirroring, zero for projections. */
export function getDeterminant(transform: Transform): number {
  return getColumnOfCofactors(transform, 0).reduce(
    (sum, factor, row) => sum + factor * at(transform, row, 0),
    0,
  )
}

/**
 * Transforms a normal, without preserving its length, by the cofactor matrix. Mirroring reverses normals, so
 * that they stay on the side from which faces are counter-clockwise.
 */
export function transformNormal(transform: Transform, normal: Xyz): Xyz {
  const [a, b, c] = [0, 1, 2].map((column) => getColumnOfCofactors(transform, column)) as [
    Cofactors,
    Cofactors,
    Cofactors,
  ]
  const row = (i: 0 | 1 | 2) => a[i] * normal.x + b[i] * normal.y + c[i] * normal.z
  return { x: row(0), y: row(1), z: row(2) }
}

type Cofactors = readonly [number, number, number]

function getColumnOfCofactors(transform: Transform, column: number): Cofactors {
  const [next, last] = [(column + 1) % 3, (column + 2) % 3]
  const cofactor = (row: number) => {
    const [below, above] = [(row + 1) % 3, (row + 2) % 3]
    return (
      at(transform, below, next) * at(transform, above, last) -
      at(transform, below, last) * at(transform, above, next)
    )
  }
  return [cofactor(0), cofactor(1), cofactor(2)]
}

/** The inverse; undefined for singular transforms. */
export function findInverse(transform: Transform): Transform | undefined {
  const determinant = getDeterminant(transform)
  if (determinant === 0 || !Number.isFinite(1 / determinant)) return undefined
  // The inverse is the transposed cofactor matrix divided by the determinant: a column of cofactors becomes a
  // row.
  const rows = [0, 1, 2].map((column) =>
    getColumnOfCofactors(transform, column).map((factor) => factor / determinant),
  ) as [number, number, number][]
  const move = [at(transform, 0, 3), at(transform, 1, 3), at(transform, 2, 3)] as const
  return createTransform(
    rows.map(([x, y, z]) => [x, y, z, 0 - (x * move[0] + y * move[1] + z * move[2])] as const),
  )
}
