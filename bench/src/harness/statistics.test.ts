import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { median, percentile } from './statistics.ts'

const values = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 })

test('given an odd number of values, when the median is computed, then it is the middle one', () => {
  assert.equal(median([9, 1, 5]), 5)
})

test('given an even number of values, when the median is computed, then it is the mean of the middle two', () => {
  assert.equal(median([10, 1, 2, 4]), 3)
})

test('given a hundred values, when percentiles are computed, then they are values at the nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  assert.equal(percentile(hundred, 0.5), 50)
  assert.equal(percentile(hundred, 0.99), 99)
  assert.equal(percentile(hundred, 1), 100)
  assert.equal(percentile(hundred, 0), 1)
})

test('given no values, when a statistic is computed, then it throws', () => {
  assert.throws(() => median([]))
  assert.throws(() => percentile([], 0.5))
})

test('given any values, when statistics are computed, then half lie on each side and the input is unchanged', () => {
  fc.assert(
    fc.property(values, (input) => {
      const before = [...input]
      const middle = median(input)
      assert.ok(input.filter((value) => value <= middle).length * 2 >= input.length)
      assert.ok(input.filter((value) => value >= middle).length * 2 >= input.length)
      assert.ok(input.includes(percentile(input, 0.99)))
      assert.deepEqual(input, before)
    }),
  )
})
