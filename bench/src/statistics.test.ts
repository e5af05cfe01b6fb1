import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { median, percentile } from './statistics.ts'

const values = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 })

test('given an odd number of values, when the median is taken, then it is the middle one', () => {
  assert.equal(median([9, 1, 5]), 5)
})

test('given an even number of values, when the median is taken, then it is the mean of the middle two', () => {
  assert.equal(median([10, 1, 2, 4]), 3)
})

test('given a hundred values, when percentiles are taken, then they are values at the nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  assert.equal(percentile(hundred, 0.5), 50)
  assert.equal(percentile(hundred, 0.99), 99)
  assert.equal(percentile(hundred, 1), 100)
  assert.equal(percentile(hundred, 0), 1)
})

test('given nothing, when a statistic is taken, then it throws rather than give NaN', () => {
  assert.throws(() => median([]))
  assert.throws(() => percentile([], 0.5))
})

test('given any values, when statistics are taken, then half lie on each side and the input is untouched', () => {
  fc.assert(
    fc.property(values, (given) => {
      const before = [...given]
      const middle = median(given)
      assert.ok(given.filter((value) => value <= middle).length * 2 >= given.length)
      assert.ok(given.filter((value) => value >= middle).length * 2 >= given.length)
      assert.ok(given.includes(percentile(given, 0.99)))
      assert.deepEqual(given, before)
    }),
  )
})
