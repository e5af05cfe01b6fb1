import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepLease } from './queue.ts'

const LEASE_MS = 9000

test('[EXP-8, JOB-4] given work that takes longer than a lease, then the lease is renewed in time, failures aside, until it ends', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let renewed = 0
  const renew = async () => {
    if (++renewed === 1) throw new Error('The database does not answer.')
    return true
  }
  const kept = keepLease({ leaseMs: LEASE_MS, renew })
  t.mock.timers.tick(LEASE_MS)
  assert.equal(renewed, 3)
  kept[Symbol.dispose]()
  t.mock.timers.tick(10 * LEASE_MS)
  assert.equal(renewed, 3)
})

test('[JOB-4] given a lease that another process took, or that cannot be renewed for its whole length, then its holder is told', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const ends: string[] = []
  const fail = async () => {
    throw new Error('The database does not answer.')
  }
  using _lost = keepLease({ leaseMs: LEASE_MS, renew: async () => false, onEnd: (why) => ends.push(why) })
  t.mock.timers.tick(LEASE_MS / 3)
  await Promise.resolve()
  assert.deepEqual(ends.splice(0), ['lost'])
  const errors: unknown[] = []
  using _expired = keepLease({
    leaseMs: LEASE_MS,
    renew: fail,
    onEnd: (why) => ends.push(why),
    onError: (error) => errors.push(error),
  })
  for (const at of [LEASE_MS / 3, LEASE_MS + 1]) {
    now = at
    t.mock.timers.tick(LEASE_MS / 3)
    await new Promise(setImmediate)
  }
  assert.deepEqual([errors.length, ends.filter((why) => why === 'expired')], [2, ['expired']])
})
