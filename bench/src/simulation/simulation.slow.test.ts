import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runHistory } from './run-history.ts'

test('[SIM-1] [SIM-2] [SIM-3] given a seed, when its history runs twice, then the same happens at the same times, and nothing that must never happen', async () => {
  const [first, again] = await Promise.all([0, 1].map(() => runHistory({ seed: 5, waves: 1 })))
  assert.deepEqual(first, again)
  assert.deepEqual(first!.violations, [])
  const { edits = 0, solves = 0, revocations = 0, removals = 0 } = first!.counts
  assert.ok(edits > 10 && solves > 0 && revocations > 0 && removals > 0, JSON.stringify(first!.counts))
  assert.ok(
    first!.faults.some((name) => name.startsWith('kill')),
    first!.faults.join(),
  )
})
