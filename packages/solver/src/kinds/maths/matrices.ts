import { checkpoint } from '@meadow/geometry/budget/budget'
import type { Matrix } from '@meadow/geometry/values/value'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

/** Rule I-12: values run row by row. */
export const MATRICES: readonly Kind[] = [
  defineKind({
    guid: '54ac80cf-74f3-43f7-834c-0e3fe94632c6',
    description: 'A matrix of values, row by row; without values one that changes nothing.',
    solve: ([rows, columns, values], context) => {
      if (rows < 1 || columns < 1) {
        context.error('A matrix has one row and one column at least')
        return []
      }
      context.reserve(rows * columns)
      const known = present(values)
      if (known.length === 0) return [createMatrix(rows, columns, (i, j) => (i === j ? 1 : 0))]
      if (known.length === rows * columns) return [{ type: 'matrix', rows, columns, values: known }]
      context.limit('What becomes of missing and of further values is not published')
      return []
    },
  }),
  defineKind({
    guid: '3aa2a080-e322-4be3-8c6e-baf6c8000cf1',
    description: 'The numbers of rows and columns of a matrix, and its values, row by row.',
    solve: ([{ rows, columns, values }]) => [rows, columns, values],
  }),
  defineKind({
    guid: '0e90b1f3-b870-4e09-8711-4bf819675d90',
    description: 'A matrix with its rows as columns.',
    solve: ([matrix], context) => {
      context.reserve(matrix.values.length)
      return [createMatrix(matrix.columns, matrix.rows, (i, j) => valueAt(matrix, j, i))]
    },
  }),
  defineKind({
    guid: '8600a3fc-30f0-4df6-b126-aaa79ece5bfe',
    description: 'A matrix with two rows in the place of each other, counted from 0.',
    solve: ([matrix, a, b], context) => {
      const swap = findSwap(matrix.rows, a, b, context)
      if (!swap) return []
      return [createMatrix(matrix.rows, matrix.columns, (i, j) => valueAt(matrix, swap(i), j))]
    },
  }),
  defineKind({
    guid: '4cebcaf7-9a6a-435b-8f8f-95a62bacb0f2',
    description: 'A matrix with two columns in the place of each other, counted from 0.',
    solve: ([matrix, a, b], context) => {
      const swap = findSwap(matrix.columns, a, b, context)
      if (!swap) return []
      return [createMatrix(matrix.rows, matrix.columns, (i, j) => valueAt(matrix, i, swap(j)))]
    },
  }),
  defineKind({
    guid: 'f986e79a-1215-4822-a1e7-3311dbdeb851',
    description: 'The inverse of a matrix, if it has one.',
    solve: ([matrix, tolerance], context) => {
      context.reserve(2 * matrix.values.length)
      const inverse = findInverse(matrix, tolerance)
      return [inverse, inverse !== undefined]
    },
  }),
]

function createMatrix(rows: number, columns: number, get: (row: number, column: number) => number): Matrix {
  const values = Array.from({ length: rows * columns }, (_, i) => get(Math.floor(i / columns), i % columns))
  return { type: 'matrix', rows, columns, values }
}

function valueAt({ columns, values }: Matrix, row: number, column: number): number {
  return values[row * columns + column] as number
}

/** Exchanges two indices below a count; undefined, with an error, if one of them is not. */
function findSwap(count: number, a: number, b: number, context: KindContext) {
  if ([a, b].every((index) => index >= 0 && index < count)) {
    context.reserve(count)
    return (index: number) => (index === a ? b : index === b ? a : index)
  }
  context.error(`The indices must be from 0 to ${count - 1}`)
  return undefined
}

/**
 * The inverse of a square matrix; undefined if no pivot is larger than the tolerance.
 * Source: Gauss and Jordan, with full pivoting.
 */
function findInverse(matrix: Matrix, tolerance: number): Matrix | undefined {
  const { rows: size, columns } = matrix
  if (size !== columns) return undefined
  // Each row with the same row of the identity; columns keep their order, of which pivots take any.
  const work = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (__, j) => valueAt(matrix, i, j)),
    ...Array.from({ length: size }, (__, j) => (i === j ? 1 : 0)),
  ])
  const rowOf = new Map<number, number>()
  for (let step = 0; step < size; step++) {
    const pivot = findPivot(work, rowOf, size)
    if (!pivot || !(Math.abs(pivot.value) > tolerance)) return undefined
    rowOf.set(pivot.column, pivot.row)
    const own = (work[pivot.row] as number[]).map((value) => value / pivot.value)
    work[pivot.row] = own
    for (const [i, row] of work.entries()) {
      checkpoint(size)
      const factor = row[pivot.column] as number
      if (i === pivot.row || factor === 0) continue
      work[i] = row.map((value, j) => value - factor * (own[j] as number))
    }
  }
  return createMatrix(size, size, (i, j) => work[rowOf.get(i) as number]?.[size + j] as number)
}

/** The largest value in rows and columns that have had no pivot. */
function findPivot(work: readonly (readonly number[])[], rowOf: ReadonlyMap<number, number>, size: number) {
  const used = new Set(rowOf.values())
  let found: { row: number; column: number; value: number } | undefined
  for (const [row, values] of work.entries()) {
    checkpoint(size)
    if (used.has(row)) continue
    for (let column = 0; column < size; column++) {
      const value = values[column] as number
      if (!rowOf.has(column) && (!found || Math.abs(value) > Math.abs(found.value)))
        found = { row, column, value }
    }
  }
  return found
}
