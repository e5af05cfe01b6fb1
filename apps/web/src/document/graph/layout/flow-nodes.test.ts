import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { addNodes, connect, createNode, openLiveReader, renameNode } from '@meadow/document/live'
import { Doc } from 'yjs'
import { mergeFlowNodes, wouldCloseCycle } from './flow-nodes.ts'
import { boxOf } from './node-box.ts'
import { boxOfWire, findWireAt, listWires, moveWireEnds } from './wires.ts'

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'

/** Additions, each fed by the one before. */
function createChain(length: number) {
  const doc = new Doc()
  const nodes = Array.from({ length }, (_, x) => createNode(ADDITION, { position: { x: 200 * x, y: 0 } }))
  addNodes(doc, nodes)
  const outputOf = (index: number) => Object.keys(nodes[index]!.outputs)[0]!
  const inputOf = (index: number) => Object.keys(nodes[index]!.inputs)[0]!
  for (let index = 1; index < length; index++) {
    connect(doc, {
      from: { nodeInstanceId: nodes[index - 1]!.instanceId, portInstanceId: outputOf(index - 1) },
      to: { nodeInstanceId: nodes[index]!.instanceId, portInstanceId: inputOf(index) },
    })
  }
  return { doc, ids: nodes.map(({ instanceId }) => instanceId), reader: openLiveReader(doc) }
}

const STILL = { isReadOnly: false, selectedIds: new Set<string>(), drag: undefined, tabbableId: undefined }

test('given an edit of one node, when the canvas follows, then all others are the same objects', () => {
  const { doc, ids, reader } = createChain(5)
  const how = { ...STILL, selectedIds: new Set([ids[2]!]) }
  const shown = mergeFlowNodes([], Object.values(reader.read().nodes), how)
  renameNode(doc, ids[2]!, 'Sum')
  const next = mergeFlowNodes(shown, Object.values(reader.read().nodes), how)
  assert.deepEqual(
    next.map((node, index) => node === shown[index]),
    [true, true, false, true, true],
  )
  assert.equal(next[2]?.selected, true)
})

test('given a node that is being dragged, when others edit it, then it stays under the pointer', () => {
  const { doc, ids, reader } = createChain(2)
  const how = { ...STILL, drag: { ids: new Set([ids[0]!]), x: 7, y: 8 } }
  const shown = mergeFlowNodes([], Object.values(reader.read().nodes), how)
  renameNode(doc, ids[0]!, 'Sum')
  const [next, other] = mergeFlowNodes(shown, Object.values(reader.read().nodes), how)
  const box = boxOf(reader.read().nodes[ids[0]!]!)
  assert.deepEqual(next?.position, { x: box.x + 7, y: box.y + 8 })
  assert.equal(other, shown[1])
})

test('given wires, when one would close a circle, then that is known before it is laid', () => {
  const { ids, reader } = createChain(4)
  const { nodes } = reader.read()
  assert.equal(wouldCloseCycle(nodes, ids[3]!, ids[0]!), true)
  assert.equal(wouldCloseCycle(nodes, ids[0]!, ids[3]!), false)
  assert.equal(wouldCloseCycle(nodes, ids[1]!, ids[1]!), true)
})

test('given wires, when a place is on one, then that one is found, and none beside them', () => {
  const { reader } = createChain(4)
  const wires = listWires(reader.read().nodes)
  assert.equal(wires.length, 3)
  for (const wire of wires) {
    assert.equal(findWireAt(wires, { x: wire.startX, y: wire.startY }, 2), wire)
    assert.equal(findWireAt(wires, { x: wire.endX, y: wire.endY }, 2), wire)
    // By symmetry its middle is on it.
    const middle = { x: (wire.startX + wire.endX) / 2, y: (wire.startY + wire.endY) / 2 }
    assert.equal(findWireAt(wires, middle, 2), wire)
    assert.equal(findWireAt(wires, { x: middle.x, y: boxOfWire(wire).bottom + 5 }, 2), undefined)
  }
})

test('given nodes that are dragged, then the ends of wires follow that are theirs', () => {
  const { ids, reader } = createChain(3)
  const [first, second] = listWires(reader.read().nodes)
  const drag = { ids: new Set([ids[0]!]), x: 10, y: -4 }
  const moved = moveWireEnds(first!, drag)
  assert.deepEqual(
    [moved.startX - first!.startX, moved.startY - first!.startY, moved.endX, moved.endY],
    [10, -4, first!.endX, first!.endY],
  )
  assert.equal(moveWireEnds(second!, drag), second)
})

test('given nodes of any kind, then their ports stand at their edges in their order', () => {
  const { reader } = createChain(3)
  for (const node of Object.values((reader.read() satisfies GraphContent).nodes)) {
    const { width, height, inputs, outputs } = boxOf(node)
    assert.deepEqual(
      inputs.map(({ x }) => x),
      [0, 0],
    )
    assert.ok(inputs[0]!.y < inputs[1]!.y && inputs[1]!.y < height)
    assert.ok(outputs.every(({ x }) => x === width))
  }
})
