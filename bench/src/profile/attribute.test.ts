import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributeTime } from './attribute.ts'

const frame = (id: number, functionName: string, url = '') => ({ id, callFrame: { functionName, url } })

test('given a profile, when the time between two moments is attributed, then files, libraries and native code have theirs', () => {
  const profile = {
    nodes: [
      frame(1, '(idle)'),
      frame(2, 'handle', 'file:///x/apps/server/src/http/server.ts'),
      frame(3, 'log', 'file:///x/node_modules/@scope/pino/lib/a.js'),
      frame(4, 'writev'),
      frame(5, '(garbage collector)'),
      frame(6, 'end', 'node:_http_outgoing'),
    ],
    samples: [2, 1, 2, 3, 2, 4, 5, 6, 2],
    timeDeltas: [100, 10, 20, 30, 20, 5, 4, 3, 50],
    startTime: 1_000,
  }
  assert.deepEqual(attributeTime(profile, 1_101, 1_200), [
    { part: 'http/server.ts', microseconds: 40 },
    { part: '@scope/pino', microseconds: 30 },
    { part: 'native writev', microseconds: 5 },
    { part: '(garbage collector)', microseconds: 4 },
    { part: 'node:_http_outgoing', microseconds: 3 },
  ])
})
