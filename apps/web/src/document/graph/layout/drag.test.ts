import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode } from '@meadow/client/live'
import { KINDS } from '../../../testing/kinds.ts'
import { areaOf, splitByDrag } from './drag.ts'
import { rectangleOf } from './rectangle.ts'
import { listWires } from './wires.ts'

test('[WEB-13] given nodes of which some are dragged, then what is painted for them is no larger than they are', () => {
  const chain = [0, 1, 2, 3].map((x) => createNode(KINDS.addition, { position: { x: 300 * x, y: 0 } }))
  for (const [place, node] of chain.slice(1).entries()) {
    const before = chain[place]!
    node.sources[Object.keys(node.inputs)[0]!] = [
      { nodeInstanceId: before.instanceId, portInstanceId: Object.keys(before.outputs)[0]! },
    ]
  }
  const wires = listWires(Object.fromEntries(chain.map((node) => [node.instanceId, node])))
  const dragged = new Set([chain[2]!.instanceId, chain[3]!.instanceId])
  const { fixed, moved, stretched } = splitByDrag(chain, wires, dragged)
  assert.deepEqual([fixed.nodes, fixed.wires], [chain.slice(0, 2), [wires[0]]])
  assert.deepEqual([moved.nodes, moved.wires, stretched], [chain.slice(2), [wires[2]], [wires[1]]])
  const [area, first] = [areaOf(moved)!, rectangleOf(chain[2]!)]
  assert.ok(area.left < first.left && area.left > first.left - 10 && area.bottom < first.bottom + 10)
  assert.equal(areaOf({ nodes: [], wires: [] }), undefined)
  assert.deepEqual(splitByDrag(chain, wires, undefined).fixed, { nodes: chain, wires })
})
