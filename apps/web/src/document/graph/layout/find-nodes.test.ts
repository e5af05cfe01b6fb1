import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import { KINDS } from '../../../testing/kinds.ts'
import { type Direction, findFirstNode, findNeighbour } from './find-nodes.ts'

/** Rows of three: 0 1 2, 3 4 5, 6 7 8. */
const grid = Array.from({ length: 9 }, (_, index) =>
  createNode(KINDS.panel, {
    position: { x: 300 * (index % 3), y: 200 * Math.floor(index / 3) },
    nickName: `Panel ${index}`,
  }),
)
const nodes: Record<string, Node> = Object.fromEntries(grid.map((node) => [node.instanceId, node]))
const neighbour = (from: number, direction: Direction) =>
  grid.indexOf(findNeighbour(nodes, grid[from]!, direction)!)

test('[WEB-30] given nodes in rows, when the neighbour of one is looked for, then it is the nearest in that direction', () => {
  const directions = ['left', 'right', 'up', 'down'] as const
  assert.deepEqual(
    directions.map((direction) => neighbour(4, direction)),
    [3, 5, 1, 7],
  )
  assert.deepEqual(
    directions.map((direction) => neighbour(0, direction)),
    [-1, 1, -1, 3],
  )
})

test('[WEB-30] given nodes, when the first one is looked for, then it is at the upper left', () => {
  assert.equal(findFirstNode(nodes), grid[0])
  assert.equal(findFirstNode({}), undefined)
})
