import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TokenBucket } from './token-bucket.ts'

test('given a bucket, when more is spent than it has, then it says so, and owes it for as long as the rate takes', () => {
  let now = 0
  const bucket = new TokenBucket({ burst: 10, perSecond: 1000, now: () => now })
  assert.equal(bucket.spend(10), true)
  assert.equal(bucket.debtMs(), 0)
  assert.equal(bucket.spend(5), false)
  assert.equal(bucket.debtMs(), 5)
  now = 4
  assert.equal(bucket.debtMs(), 1)
  now = 1000
  assert.equal(bucket.debtMs(), 0)
  assert.equal(bucket.spend(10), true)
  assert.equal(bucket.spend(1), false)
})

test('given any spender who waits until nothing is owed, then it spends no more than the burst, the rate and its last portion', () => {
  const portions = fc.array(fc.record({ tokens: fc.nat(50), pauseMs: fc.nat(100) }), { minLength: 1 })
  fc.assert(
    fc.property(portions, fc.integer({ min: 1, max: 100 }), (steps, perSecond) => {
      let now = 0
      let [spent, last] = [0, 0]
      const bucket = new TokenBucket({ burst: 20, perSecond, now: () => now })
      for (const { tokens, pauseMs } of steps) {
        now += pauseMs + bucket.debtMs()
        bucket.spend(tokens)
        spent += tokens
        last = tokens
        assert.ok(spent - last <= 20 + (now / 1000) * perSecond + 1e-6)
      }
    }),
  )
})
