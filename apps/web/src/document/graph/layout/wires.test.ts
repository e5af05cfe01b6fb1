import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChain } from '../../../testing/chain.ts'
import { boxOfWire, findWireAt, listReachable, listWires, wireStyleOf, wouldCloseCycle } from './wires.ts'

test('given wires, when another is laid, then it is known whether it would close a cycle', () => {
  const { ids, reader } = createChain(4)
  const { nodes } = reader.read()
  assert.equal(wouldCloseCycle(nodes, ids[3]!, ids[0]!), true)
  assert.equal(wouldCloseCycle(nodes, ids[0]!, ids[3]!), false)
  assert.equal(wouldCloseCycle(nodes, ids[1]!, ids[1]!), true)
})

test('[WEB-68] given wires, when the nodes before and after one are listed, then they are those that a wire would close a cycle with', () => {
  const { ids, reader } = createChain(4)
  const { nodes } = reader.read()
  const wires = listWires(nodes)
  const [upstream, downstream] = (['upstream', 'downstream'] as const).map((direction) =>
    listReachable(wires, ids[1]!, direction),
  )
  assert.deepEqual([...upstream!].sort(), ids.slice(0, 2).sort())
  assert.deepEqual([...downstream!].sort(), ids.slice(1).sort())
  for (const id of ids) assert.equal(wouldCloseCycle(nodes, ids[1]!, id), upstream!.has(id))
})

test('given wires, when a point is on one, then that wire is found, and none for a point beside it', () => {
  const { reader } = createChain(4)
  const wires = listWires(reader.read().nodes)
  assert.equal(wires.length, 3)
  for (const wire of wires) {
    assert.equal(findWireAt(wires, { x: wire.startX, y: wire.startY }, 2), wire)
    assert.equal(findWireAt(wires, { x: wire.endX, y: wire.endY }, 2), wire)
    // By symmetry the curve passes through the middle.
    const middle = { x: (wire.startX + wire.endX) / 2, y: (wire.startY + wire.endY) / 2 }
    assert.equal(findWireAt(wires, middle, 2), wire)
    assert.equal(findWireAt(wires, { x: middle.x, y: boxOfWire(wire).bottom + 5 }, 2), undefined)
  }
})

test('[WEB-13] given the data of a port, when its wires are drawn, then they have the style of an item, a list, a tree or no data', () => {
  assert.equal(wireStyleOf({ branches: 1, values: 1, nulls: 0 }), 'item')
  assert.equal(wireStyleOf({ branches: 1, values: 9, nulls: 9 }), 'list')
  assert.equal(wireStyleOf({ branches: 2, values: 2, nulls: 0 }), 'tree')
  assert.equal(wireStyleOf({ branches: 3, values: 0, nulls: 0 }), 'empty')
  assert.equal(wireStyleOf(undefined), 'unknown')
})
