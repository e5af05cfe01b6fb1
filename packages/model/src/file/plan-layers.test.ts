import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planLayers } from './plan-layers.ts'

const plan = (...names: string[]) =>
  [...planLayers(names.map((nodeName, i) => ({ nodeInstanceId: `${i}`, nodeName })))].map(([, name]) => name)

test('[MOD-10] given nodes of equal names, when layers are planned, then each has a name of its own', () => {
  assert.deepEqual(plan('Box', 'box', 'Box 2', 'Box', 'Circle'), [
    'Box',
    'box 2',
    'Box 2 2',
    'Box 3',
    'Circle',
  ])
})

test('[MOD-10] given names that Rhino takes for something else, when layers are planned, then without that', () => {
  assert.deepEqual(plan('A::B', ' \n', 'C\u0000D', 'x'.repeat(300)), ['A:B', 'Node', 'C D', 'x'.repeat(200)])
})

test('[MOD-10] given many values of one node, when layers are planned, then one layer', () => {
  const nodes = [
    { nodeInstanceId: 'a', nodeName: 'Box' },
    { nodeInstanceId: 'b', nodeName: 'Circle' },
    { nodeInstanceId: 'a', nodeName: 'Box' },
  ]
  assert.deepEqual(
    [...planLayers(nodes)],
    [
      ['a', 'Box'],
      ['b', 'Circle'],
    ],
  )
})
