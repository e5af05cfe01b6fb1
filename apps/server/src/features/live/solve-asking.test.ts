import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { createSolveAsking } from './solve-asking.ts'

test('[LIV-13] given refused solves and a database that is slow, when it is time to ask for them again and again, then it is asked once at a time', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const begun: (() => void)[] = []
  const asking = createSolveAsking({
    ask: async () => ({ error: 'no_credits' }),
    find: async () => undefined,
    list: () => new Promise((resolve) => begun.push(() => resolve(new Map()))),
    tell() {},
    onError: assert.fail,
  })
  await asking.opened(1 as DocumentKey, 1 as TeamKey)
  for (let round = 0; round < 5; round++) t.mock.timers.tick(2000)
  await setImmediate()
  begun[0]!()
  await asking.stop()
  assert.equal(begun.length, 1)
})

test('[LIV-13] given very many refused solves of a team, when it has credits again, then they are asked for some at a time, each once', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let hasCredits = false
  const asked: (readonly DocumentKey[])[] = []
  const asking = createSolveAsking({
    async ask(_, documents) {
      if (!hasCredits) return { error: 'no_credits' }
      asked.push(documents)
      return {}
    },
    find: async () => undefined,
    list: async () => new Map(),
    tell() {},
    onError: assert.fail,
  })
  const documents = Array.from({ length: 2500 }, (_, i) => (i + 1) as DocumentKey)
  for (const document of documents) await asking.opened(document, 1 as TeamKey)
  hasCredits = true
  t.mock.timers.tick(2000)
  await asking.stop()
  assert.deepEqual(
    asked.map(({ length }) => length),
    [1000, 1000, 500],
  )
  assert.deepEqual(new Set(asked.flat()), new Set(documents))
})
