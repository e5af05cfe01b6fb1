import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { throttle } from './throttle.ts'

test('given many calls, then the first goes out at once and the rest together, once in a while', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const calls: object[] = []
  const call = throttle<{ a?: number; b?: number }>((value) => calls.push(value), 50)
  call({ a: 1 })
  call({ a: 2 })
  call({ b: 3 })
  assert.deepEqual(calls, [{ a: 1 }])
  mock.timers.tick(50)
  assert.deepEqual(calls, [{ a: 1 }, { a: 2, b: 3 }])
  mock.timers.tick(50)
  call({ a: 4 })
  assert.deepEqual(calls.at(-1), { a: 4 })
  assert.equal(calls.length, 3)
})
