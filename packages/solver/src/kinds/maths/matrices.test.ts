import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Matrix, Value } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { run } from '../../testing/run.ts'

const CONSTRUCT = '54ac80cf-74f3-43f7-834c-0e3fe94632c6'
const INVERT = 'f986e79a-1215-4822-a1e7-3311dbdeb851'
const TRANSPOSE = '0e90b1f3-b870-4e09-8711-4bf819675d90'

const first = (guid: string, inputs: readonly (Value | undefined)[]) =>
  Object.values(run(guid, inputs).outputs[0] ?? {})[0]?.[0] as Matrix | null
const matrices = fc
  .integer({ min: 1, max: 5 })
  .chain((size) =>
    fc
      .array(fc.integer({ min: -9, max: 9 }), { minLength: size * size, maxLength: size * size })
      .map((values): Matrix => ({ type: 'matrix', rows: size, columns: size, values })),
  )

test('[I-12] given a matrix with an inverse, then their product is the identity, and the inverse of the inverse the matrix', () => {
  fc.assert(
    fc.property(matrices, (matrix) => {
      const inverse = first(INVERT, [matrix, 1e-9])
      fc.pre(inverse !== null)
      const { rows: size, values } = matrix
      for (let i = 0; i < size; i++) {
        for (let j = 0; j < size; j++) {
          const sum = Array.from(
            { length: size },
            (_, k) => values[i * size + k]! * inverse.values[k * size + j]!,
          ).reduce((total, product) => total + product, 0)
          assert.ok(Math.abs(sum - (i === j ? 1 : 0)) < 1e-7, `${sum}`)
        }
      }
    }),
  )
})

test('[I-12] given a matrix, when it is transposed twice, then it is the same', () => {
  fc.assert(
    fc.property(matrices, (matrix) => {
      assert.deepEqual(first(TRANSPOSE, [first(TRANSPOSE, [matrix]) ?? undefined]), matrix)
    }),
  )
})

test('[I-12] given more or fewer values than a matrix has, then it is a limit', () => {
  for (const values of [
    [1, 2, 3],
    [1, 2, 3, 4, 5],
  ]) {
    assert.deepEqual(run(CONSTRUCT, [2, 2, values]).codes, ['limit'])
  }
})
