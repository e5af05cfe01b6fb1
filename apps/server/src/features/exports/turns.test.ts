import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTurns } from './turns.ts'

const never = new AbortController().signal

test('[EXP-9] given many of one group, when somebody of another comes, then they are next but one', async () => {
  const turns = createTurns(['lane'])
  const first = await turns.take('a', never)
  const served: string[] = []
  const callers = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async (name) => {
    using _ = await turns.take(name[0], never)
    served.push(name)
  })
  first[Symbol.dispose]()
  await Promise.all(callers)
  assert.deepEqual(served, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('[EXP-10] given one who gives up, then their turn is the next one’s, and their reason is told', async () => {
  const turns = createTurns(['lane'])
  const first = await turns.take('a', never)
  const leaving = new AbortController()
  const left = turns.take('b', leaving.signal)
  const next = turns.take('c', never)
  leaving.abort(new Error('gone'))
  await assert.rejects(left, /gone/)
  await assert.rejects(turns.take('b', leaving.signal), /gone/)
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  assert.equal((await next).lent, 'lane')
})

test('[EXP-9] given any callers of any groups, some of whom give up, then no thing is lent twice, and all others are served', async () => {
  const caller = fc.record({ group: fc.nat(3), givesUp: fc.boolean(), rests: fc.nat(3) })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(caller), async (count, callers) => {
      const turns = createTurns(Array.from({ length: count }, (_, i) => i))
      const lent = new Set<number>()
      const served = await Promise.all(
        callers.map(async ({ group, givesUp, rests }) => {
          const signal = givesUp ? AbortSignal.abort() : never
          try {
            using turn = await turns.take(group, signal)
            assert.ok(!lent.has(turn.lent))
            lent.add(turn.lent)
            for (let i = 0; i < rests; i++) await null
            lent.delete(turn.lent)
            return true
          } catch (error) {
            if (!givesUp) throw error
            return false
          }
        }),
      )
      assert.deepEqual(
        served,
        callers.map(({ givesUp }) => !givesUp),
      )
    }),
  )
})
