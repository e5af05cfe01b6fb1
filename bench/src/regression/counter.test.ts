import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canPerfCount, chooseCounter, countWithPerf } from './counter.ts'

/** Works for a number of rounds. */
async function work(rounds: number): Promise<void> {
  let sum = 0
  for (let index = 0; index < rounds * 10_000_000; index++) sum += index
  assert.ok(sum > 0)
}

test('given this process, when its work is counted, then more work costs more', {
  skip: process.platform !== 'linux',
}, async () => {
  const { count } = chooseCounter()
  await work(1)
  const [little, much] = [
    await count([process.pid], () => work(1)),
    await count([process.pid], () => work(8)),
  ]
  assert.ok(little > 0 && much > 2 * little, `${little} ${much}`)
})

test('given perf, when it counts the work of this process, then it reports a number', {
  skip: !canPerfCount('task-clock'),
}, async () => {
  assert.ok((await countWithPerf('task-clock', [process.pid], () => work(3))) > 1)
})

test('given an event that does not exist, when perf is tried, then it cannot count it', () => {
  assert.equal(canPerfCount('no-such-event'), false)
})
