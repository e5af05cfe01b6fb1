import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent, Node } from '@meadow/contract'
import { findCycle } from './cycles.ts'

/** Each node is fed by those named. */
function createGraph(feeds: Record<string, string[]>): GraphContent {
  const nodes = Object.entries(feeds).map(([id, senders]) => {
    const wires = senders.map((sender) => ({ nodeInstanceId: sender, portInstanceId: `${sender}.out` }))
    return [id, { sources: { [`${id}.in`]: wires } } as unknown as Node]
  })
  return { nodes: Object.fromEntries(nodes), groups: [], configuration: { inputs: [], outputs: [] } }
}

test('[DOC-19] given no cycle, when one is sought, then none is found', () => {
  assert.equal(findCycle(createGraph({ a: ['b', 'c'], b: ['d'], c: ['d', 'gone'], d: [] })), undefined)
})

test('[DOC-19] given a cycle behind other nodes, when looked for, then its nodes come in the direction of data', () => {
  assert.deepEqual(findCycle(createGraph({ x: ['a'], a: ['b'], b: ['c'], c: ['a'] })), ['c', 'b', 'a'])
  assert.deepEqual(findCycle(createGraph({ a: ['a'] })), ['a'])
})

test('[DOC-19] given a chain of 100,000 nodes, when looked for, then neither stack nor time runs out', () => {
  const chain = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`n${i}`, [`n${i + 1}`]]))
  assert.equal(findCycle(createGraph(chain)), undefined)
  assert.equal(findCycle(createGraph({ ...chain, n99999: ['n0'] }))?.length, 100_000)
})
