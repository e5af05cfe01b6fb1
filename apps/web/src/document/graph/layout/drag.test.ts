import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeNodes } from '@meadow/document/live'
import { createChain } from '../../../testing/chain.ts'
import { areaOf, EMPTY_PART, keepThere, moveWireEnds, readDrag, splitByDrag } from './drag.ts'
import { boxOf } from './node-box.ts'
import { rectangleOf } from './rectangle.ts'
import { listWires } from './wires.ts'

test('given nodes that are dragged, when wires are moved, then only the ends at those nodes move', () => {
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

test('[WEB-236] given nodes that are dragged, when somebody deletes one of them, then the others are dragged and dropped', () => {
  const { doc, ids, reader } = createChain(3)
  const before = reader.read().nodes
  const selectedIds = new Set(ids)
  const report = (dragging: boolean) => {
    const moves = ids.map((id) => {
      const { x, y } = boxOf(before[id]!)
      return { type: 'position' as const, id, dragging, position: { x: x + 7, y: y - 3 } }
    })
    return readDrag(moves, reader.read().nodes, selectedIds)!
  }
  const { drag } = report(true)
  assert.deepEqual(drag, { ids: selectedIds, x: 7, y: -3 })
  assert.equal(keepThere(drag, before), drag)
  removeNodes(doc, [ids[0]!])
  assert.deepEqual(report(false), { drag, isDropped: true })
  assert.deepEqual([...keepThere(drag, reader.read().nodes).ids], ids.slice(1))
  removeNodes(doc, ids.slice(1))
  assert.equal(report(false), undefined)
})

test('[WEB-13] given nodes of which some are dragged, when the graph is split, then the painted area is no larger than each part', () => {
  const { ids, reader } = createChain(4)
  const { nodes } = reader.read()
  const chain = ids.map((id) => nodes[id]!)
  const wires = listWires(nodes)
  const dragged = new Set([ids[2]!, ids[3]!])
  const { fixed, moved, stretched } = splitByDrag({ nodes: chain, wires, groups: [] }, dragged)
  assert.deepEqual([fixed.nodes, fixed.wires], [chain.slice(0, 2), [wires[0]]])
  assert.deepEqual([moved.nodes, moved.wires, stretched.wires], [chain.slice(2), [wires[2]], [wires[1]]])
  const [area, first] = [areaOf(moved)!, rectangleOf(chain[2]!)]
  assert.ok(area.left < first.left && area.left > first.left - 10 && area.bottom < first.bottom + 10)
  assert.equal(areaOf(EMPTY_PART), undefined)
  const whole = { nodes: chain, wires, groups: [] }
  assert.deepEqual(splitByDrag(whole, undefined).fixed, whole)
})
