import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createWakeSignal } from './wake-signal.ts'

const NEVER_MS = 60_000

test('[JOB-15] given one who waits, when the bell rings, then they wake', async () => {
  const bell = createWakeSignal()
  const woken = bell.wait(NEVER_MS)
  bell.wake()
  await woken
})

test('[JOB-15] given a signal without a waiting caller, when a caller waits, then it wakes at once, and waits the next time', async (t) => {
  const bell = createWakeSignal()
  bell.wake()
  await bell.wait(NEVER_MS)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let isWoken = false
  const woken = bell.wait(20).then(() => {
    isWoken = true
  })
  t.mock.timers.tick(19)
  await setImmediate()
  assert.equal(isWoken, false)
  t.mock.timers.tick(1)
  await woken
})
