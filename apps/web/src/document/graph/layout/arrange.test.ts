import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import fc from 'fast-check'
import { KINDS } from '../../../testing/kinds.ts'
import { type Alignment, alignNodes, distributeNodes } from './arrange.ts'
import { type Rectangle, rectangleOf } from './rectangle.ts'

const PLACES = fc.array(
  fc.record({
    kind: fc.constantFrom(KINDS.panel, KINDS.slider, KINDS.sphere),
    x: fc.integer({ min: -2000, max: 2000 }),
    y: fc.integer({ min: -2000, max: 2000 }),
  }),
  { minLength: 3, maxLength: 12 },
)

type Placed = { kind: (typeof KINDS)['panel']; x: number; y: number }

function build(places: readonly Placed[]) {
  const list = places.map(({ kind, x, y }) => createNode(kind, { position: { x, y } }))
  return {
    nodes: Object.fromEntries(list.map((node) => [node.instanceId, node])),
    ids: list.map((node) => node.instanceId),
  }
}

const moved = (nodes: Record<string, Node>, positions: Record<string, Node['position']>): Rectangle[] =>
  Object.values(nodes).map((node) =>
    rectangleOf({ ...node, position: positions[node.instanceId] ?? node.position }),
  )

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values)

test('[WEB-181] given any nodes, when they are aligned, then their sides or middles are on one line, and they move along one axis', () => {
  const measures: Record<Alignment, (rectangle: Rectangle) => number> = {
    left: ({ left }) => left,
    center: ({ left, right }) => (left + right) / 2,
    right: ({ right }) => right,
    top: ({ top }) => top,
    middle: ({ top, bottom }) => (top + bottom) / 2,
    bottom: ({ bottom }) => bottom,
  }
  fc.assert(
    fc.property(PLACES, (places) => {
      const { nodes, ids } = build(places as Placed[])
      for (const [alignment, measure] of Object.entries(measures)) {
        const positions = alignNodes(nodes, ids, alignment as Alignment)
        assert.ok(spread(moved(nodes, positions).map(measure)) < 1e-6, alignment)
        const other = ['left', 'center', 'right'].includes(alignment) ? 'y' : 'x'
        for (const [id, position] of Object.entries(positions))
          assert.equal(position[other], nodes[id]!.position[other])
      }
    }),
  )
})

test('[WEB-181] given any nodes, when they are distributed, then the gaps are equal, and none overlap', () => {
  fc.assert(
    fc.property(PLACES, (places) => {
      const { nodes, ids } = build(places as Placed[])
      for (const [axis, start, end] of [
        ['horizontal', 'left', 'right'],
        ['vertical', 'top', 'bottom'],
      ] as const) {
        const boxes = moved(nodes, distributeNodes(nodes, ids, axis)).sort((a, b) => a[start] - b[start])
        const gaps = boxes.slice(1).map((box, index) => box[start] - boxes[index]![end])
        assert.ok(spread(gaps) < 1e-6 && Math.min(...gaps) > 9.99, axis)
      }
    }),
  )
  const { nodes, ids } = build([
    { kind: KINDS.panel, x: 0, y: 0 } as Placed,
    { kind: KINDS.panel, x: 9, y: 9 } as Placed,
  ])
  assert.deepEqual(distributeNodes(nodes, ids, 'vertical'), {})
})
