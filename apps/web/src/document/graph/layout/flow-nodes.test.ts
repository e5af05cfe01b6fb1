import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renameNode } from '@meadow/document/live'
import { createChain } from '../../../testing/chain.ts'
import { mergeFlowNodes } from './flow-nodes.ts'
import { boxOf } from './node-box.ts'

const OPTIONS = {
  isReadOnly: false,
  isTouch: false,
  selectedIds: new Set<string>(),
  drag: undefined,
  tabbableId: undefined,
}

test('given shown nodes, when one is edited, then all others keep their objects', () => {
  const { doc, ids, reader } = createChain(5)
  const options = { ...OPTIONS, selectedIds: new Set([ids[2]!]) }
  const shown = mergeFlowNodes([], Object.values(reader.read().nodes), options)
  renameNode(doc, ids[2]!, 'Sum')
  const next = mergeFlowNodes(shown, Object.values(reader.read().nodes), options)
  assert.deepEqual(
    next.map((node, index) => node === shown[index]),
    [true, true, false, true, true],
  )
  assert.equal(next[2]?.selected, true)
})

test('given a node that is being dragged, when another client edits it, then it stays under the pointer', () => {
  const { doc, ids, reader } = createChain(2)
  const options = { ...OPTIONS, drag: { ids: new Set([ids[0]!]), x: 7, y: 8 } }
  const shown = mergeFlowNodes([], Object.values(reader.read().nodes), options)
  renameNode(doc, ids[0]!, 'Sum')
  const [next, other] = mergeFlowNodes(shown, Object.values(reader.read().nodes), options)
  const box = boxOf(reader.read().nodes[ids[0]!]!)
  assert.deepEqual(next?.position, { x: box.x + 7, y: box.y + 8 })
  assert.equal(other, shown[1])
})
