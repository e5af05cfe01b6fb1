import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWakeSignal } from './wake-signal.ts'

const NEVER_MS = 60_000

test('[JOB-15] given one who waits, when the bell rings, then they wake', async () => {
  const bell = createWakeSignal()
  const woken = bell.wait(NEVER_MS)
  bell.wake()
  await woken
})

test('[JOB-15] given a signal without a waiting caller, when a caller waits, then it wakes at once, and waits the next time', async () => {
  const bell = createWakeSignal()
  bell.wake()
  await bell.wait(NEVER_MS)
  const start = performance.now()
  await bell.wait(20)
  assert.ok(performance.now() - start >= 15)
})
