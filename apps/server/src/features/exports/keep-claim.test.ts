import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { keepClaim } from './keep-claim.ts'

test('[EXP-8] given a file that takes longer to make than a lease, then its claim is renewed in time, failures aside, until it is made', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const renewed: number[] = []
  const renew = async (_claim: unknown, leaseMs: number) => {
    renewed.push(leaseMs)
    if (renewed.length === 1) throw new Error('The database does not answer.')
    return true
  }
  const claim = { key: 1 as never, claimedBy: 'x' }
  const kept = keepClaim({ renew }, claim, 9000, createLog('silent'))
  t.mock.timers.tick(9000)
  assert.deepEqual(renewed, [9000, 9000, 9000])
  kept[Symbol.dispose]()
  t.mock.timers.tick(90_000)
  assert.equal(renewed.length, 3)
})
