import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSingleFlight } from './single-flight.ts'

const never = new AbortController().signal

test('[EXP-8] given many who want the same, then it is done once, and again after it is done', async () => {
  const shared = createSingleFlight<number>()
  let count = 0
  const work = async () => {
    await null
    return ++count
  }
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => shared.run('a', never, work))), [1, 1, 1])
  assert.equal(await shared.run('a', never, work), 2)
  assert.deepEqual(await Promise.all(['b', 'c'].map((key) => shared.run(key, never, work))), [3, 4])
})

test('[EXP-10] given callers that leave, then the work is aborted when the last one has left, and a later caller begins it anew', async () => {
  const shared = createSingleFlight<string>()
  const reported: string[] = []
  const done = Promise.withResolvers<void>()
  const begin = (name: string) => async (unwanted: AbortSignal) => {
    unwanted.addEventListener('abort', () => reported.push(name))
    await done.promise
    return name
  }
  const [one, other] = [new AbortController(), new AbortController()]
  const left = [shared.run('a', one.signal, begin('first')), shared.run('a', other.signal, begin('none'))]
  one.abort(new Error('one is gone'))
  await assert.rejects(left[0]!, /one is gone/)
  assert.deepEqual(reported, [])
  other.abort(new Error('other is gone'))
  await assert.rejects(left[1]!, /other is gone/)
  assert.deepEqual(reported, ['first'])
  const later = shared.run('a', never, begin('second'))
  done.resolve()
  assert.equal(await later, 'second')
  await shared.settled()
})

test('[EXP-11] given work that fails, then all waiting callers are notified, and no others', async () => {
  const shared = createSingleFlight<number>()
  const fail = async () => {
    await null
    throw new Error('broken')
  }
  const waiting = await Promise.allSettled([shared.run('a', never, fail), shared.run('a', never, fail)])
  assert.deepEqual(
    waiting.map((one) => one.status === 'rejected' && one.reason.message),
    ['broken', 'broken'],
  )
  assert.equal(await shared.run('a', never, async () => 7), 7)
})
