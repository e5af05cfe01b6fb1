import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { createSolveRequests } from './solve-requests.ts'

test('[LIV-13] given rejected requests and a slow database, when several retries are due, then only one runs at a time', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const started: (() => void)[] = []
  const requests = createSolveRequests({
    requestSolves: async () => ({ error: 'no_credits' }),
    find: async () => undefined,
    list: () => new Promise((resolve) => started.push(() => resolve(new Map()))),
    notify() {},
    onError: assert.fail,
  })
  await requests.opened(1 as DocumentKey, 1 as TeamKey)
  for (let round = 0; round < 5; round++) t.mock.timers.tick(2000)
  await setImmediate()
  started[0]!()
  await requests.stop()
  assert.equal(started.length, 1)
})

test('[LIV-13] given very many rejected requests of a team, when it has credits again, then they are repeated in portions, each once', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let hasCredits = false
  const requested: (readonly DocumentKey[])[] = []
  const requests = createSolveRequests({
    async requestSolves(_, documents) {
      if (!hasCredits) return { error: 'no_credits' }
      requested.push(documents)
      return { solves: [] }
    },
    find: async () => undefined,
    list: async () => new Map(),
    notify() {},
    onError: assert.fail,
  })
  const documents = Array.from({ length: 2500 }, (_, i) => (i + 1) as DocumentKey)
  for (const document of documents) await requests.opened(document, 1 as TeamKey)
  hasCredits = true
  t.mock.timers.tick(2000)
  await requests.stop()
  assert.deepEqual(
    requested.map(({ length }) => length),
    [1000, 1000, 500],
  )
  assert.deepEqual(new Set(requested.flat()), new Set(documents))
})
