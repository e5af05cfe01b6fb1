import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_TIME, toTimestamp } from './times.ts'

test('[C2] given any time that is stored, when it is shown, then it is ISO 8601 in UTC with milliseconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_TIME }), (ms) => {
      assert.equal(toTimestamp(ms), new Date(ms).toISOString())
    }),
    { examples: [[0], [MAX_TIME], [951_782_399_999], [951_782_400_000]] },
  )
})
