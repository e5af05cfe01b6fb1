import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBell } from './bell.ts'

const NEVER_MS = 60_000

test('[JOB-15] given one who waits, when the bell rings, then they wake', async () => {
  const bell = createBell()
  const woken = bell.wait(NEVER_MS)
  bell.ring()
  await woken
})

test('[JOB-15] given a ring that nobody heard, when somebody waits, then they wake at once, and wait the next time', async () => {
  const bell = createBell()
  bell.ring()
  await bell.wait(NEVER_MS)
  const start = performance.now()
  await bell.wait(20)
  assert.ok(performance.now() - start >= 15)
})
