import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judge } from './judge.ts'

const launches = (...changes: number[]) => changes.map((change) => ({ base: 100, own: 100 * (1 + change) }))

test('given launches that agree, when a case is judged, then a change beyond noise and tolerance is slower or faster', () => {
  assert.equal(judge(launches(0.1, 0.11, 0.09, 0.1, 0.1)).verdict, 'slower')
  assert.equal(judge(launches(-0.1, -0.11, -0.09, -0.1, -0.1)).verdict, 'faster')
  assert.equal(judge(launches(0.019, 0.019, 0.019, 0.019, 0.019)).verdict, 'same')
})

test('given launches that disagree, when a case is judged, then the same change is noise', () => {
  const { verdict, change, noise } = judge(launches(0.5, -0.3, 0.4, -0.2, 0.1))
  assert.equal(verdict, 'same')
  assert.ok(change > 0 && change < noise)
})

test('given any costs, when versions are exchanged, then slower becomes faster, with the same noise', () => {
  const cost = fc.double({ min: 1, max: 1e6, noNaN: true })
  const opposite = { slower: 'faster', faster: 'slower', same: 'same' }
  fc.assert(
    fc.property(fc.array(fc.record({ base: cost, own: cost }), { minLength: 2, maxLength: 20 }), (pairs) => {
      const judged = judge(pairs)
      const exchanged = judge(pairs.map(({ base, own }) => ({ base: own, own: base })))
      assert.equal(exchanged.verdict, opposite[judged.verdict])
      assert.ok(Math.abs(exchanged.noise - judged.noise) <= 1e-6 * (1 + judged.noise))
    }),
  )
})
