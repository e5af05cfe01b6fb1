import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { createChain } from '../../../testing/chain.ts'
import { findGroupAt, listGroupBoxes, stretchGroup } from './groups.ts'
import { contains, rectangleOf } from './rectangle.ts'

const group = (id: string, nodeInstanceIds: string[], groupIds: string[] = []) => ({
  id,
  label: '',
  colour: '#aa87ff96',
  nodeInstanceIds,
  groupIds,
})

const { ids, reader } = createChain(3)
const { nodes } = reader.read()
const content = (...groups: GraphContent['groups']): GraphContent => ({ ...reader.read(), groups })
const middle = (id: string) => {
  const { left, top, right, bottom } = rectangleOf(nodes[id]!)
  return { x: (left + right) / 2, y: (top + bottom) / 2 }
}

test('[WEB-32] given nested groups, when the one at a point is looked for, then it is the innermost', () => {
  const inner = group('inner', [ids[0]!])
  const outer = group('outer', [ids[1]!], ['inner'])
  const boxes = listGroupBoxes(content(inner, outer, group('gone', ['deleted'])))
  assert.deepEqual(
    boxes.map(({ group, members }) => [group.id, [...members].sort()]),
    [
      ['outer', [ids[0]!, ids[1]!].sort()],
      ['inner', [ids[0]!]],
    ],
  )
  assert.ok(contains(boxes[0]!.box, boxes[1]!.box))
  assert.equal(findGroupAt(boxes, middle(ids[0]!))?.group.id, 'inner')
  assert.equal(findGroupAt(boxes, middle(ids[1]!))?.group.id, 'outer')
  assert.equal(findGroupAt(boxes, middle(ids[2]!)), undefined)
})

test('[WEB-32] given groups that contain each other, when their nodes are listed, then each has all of them once', () => {
  const boxes = listGroupBoxes(content(group('a', [ids[0]!], ['b']), group('b', [ids[1]!], ['a'])))
  assert.deepEqual(
    boxes.map(({ members }) => [...members].sort()),
    [0, 1].map(() => [ids[0]!, ids[1]!].sort()),
  )
})

test('[WEB-32] given a group of which one node is dragged, when it is stretched, then it surrounds where all nodes are', () => {
  const [box] = listGroupBoxes(content(group('both', [ids[0]!, ids[1]!])))
  const stretched = stretchGroup(box!, nodes, { ids: new Set([ids[1]!]), x: 100, y: -40 })
  assert.deepEqual(stretched.box, {
    left: box!.box.left,
    top: box!.box.top - 40,
    right: box!.box.right + 100,
    bottom: box!.box.bottom,
  })
})
