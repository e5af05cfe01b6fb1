import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BoundedTasks } from './bounded-tasks.ts'

test('given any sizes, when work runs, then all of it runs, within the count and the size, the oversized alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 15 }), { maxLength: 30 }), async (sizes) => {
      const lanes = new BoundedTasks(3, 10)
      const running: number[] = []
      let done = 0
      for (const size of sizes) {
        await lanes.start(size, async () => {
          running.push(size)
          const sum = running.reduce((a, b) => a + b, 0)
          assert.ok(running.length <= 3 && (sum <= 10 || running.length === 1), `${running}`)
          for (let turn = 0; turn < size % 4; turn++) await null
          running.splice(running.indexOf(size), 1)
          done++
        })
      }
      await lanes.finish()
      assert.equal(done, sizes.length)
    }),
  )
})

test('given work that fails beside other work, when they are disposed of, then nothing runs any more', async () => {
  const slow = Promise.withResolvers<void>()
  let isDone = false
  const failing = async () => {
    await using lanes = new BoundedTasks(2, 10)
    await lanes.start(1, async () => {
      await slow.promise
      isDone = true
    })
    await lanes.start(1, async () => {
      throw new Error('no disk')
    })
    await lanes.start(1, async () => assert.fail('it was begun'))
  }
  setImmediate(slow.resolve)
  await assert.rejects(failing(), /no disk/)
  assert.ok(isDone)
})

test('given work that fails, when more is started or all is finished, then the failure is thrown', async () => {
  const lanes = new BoundedTasks(1, 1)
  await lanes.start(1, async () => {
    throw new Error('no disk')
  })
  await assert.rejects(
    lanes.start(1, async () => {}),
    /no disk/,
  )
  await assert.rejects(lanes.finish(), /no disk/)
})
