import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { MAX_PRESENCE_BYTES } from '@meadow/contract'
import { throttle, trimPresence } from './live-session.ts'

test('[WEB-8] given thousands of selected and dragged nodes, when presence is trimmed, then it is within the limit of the server', () => {
  const ids = Array.from({ length: 5000 }, () => crypto.randomUUID())
  const drag = Object.fromEntries(ids.map((id) => [id, { x: Math.random() * 1e5, y: -Math.random() * 1e5 }]))
  const trimmed = trimPresence({ cursor: { x: 1.26, y: 2.5 }, selection: ids, drag })
  assert.ok(JSON.stringify(trimmed).length < MAX_PRESENCE_BYTES)
  assert.deepEqual(trimmed.cursor, { x: 1, y: 3 })
})

test('[WEB-8] given a drag, cursor or selection that ended, when presence is trimmed, then the end is in it', () => {
  assert.deepEqual(trimPresence({ drag: null }), { drag: null })
  assert.deepEqual(trimPresence({ cursor: null }), { cursor: null })
  assert.deepEqual(trimPresence({ selection: [] }), { selection: [] })
})

test('given many calls, when they are throttled, then the first goes out at once and the others merged, once per interval', (t) => {
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
