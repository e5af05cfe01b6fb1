import type { GraphContent } from '@meadow/contract'
import type { Positions } from './drag.ts'
import { type Rectangle, rectangleOf, unite } from './rectangle.ts'

/** Where nodes are aligned: at a side of the box around them, or at its middle. */
export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom'

export type Axis = 'horizontal' | 'vertical'

/** The least gap between nodes that would overlap otherwise, in canvas units. */
const LEAST_GAP = 10

/** How far each rectangle is from where it should be. */
const OFFSETS: Record<Alignment, (all: Rectangle, one: Rectangle) => { x: number; y: number }> = {
  left: (all, one) => ({ x: all.left - one.left, y: 0 }),
  center: (all, one) => ({ x: (all.left + all.right - one.left - one.right) / 2, y: 0 }),
  right: (all, one) => ({ x: all.right - one.right, y: 0 }),
  top: (all, one) => ({ x: 0, y: all.top - one.top }),
  middle: (all, one) => ({ x: 0, y: (all.top + all.bottom - one.top - one.bottom) / 2 }),
  bottom: (all, one) => ({ x: 0, y: all.bottom - one.bottom }),
}

/** The new positions of the nodes that are not aligned yet. */
export function alignNodes(
  nodes: GraphContent['nodes'],
  ids: readonly string[],
  alignment: Alignment,
): Positions {
  const placed = placeNodes(nodes, ids)
  const all = unite(placed.map(({ rectangle }) => rectangle))
  return all
    ? move(
        nodes,
        placed.map(({ id, rectangle }) => [id, OFFSETS[alignment](all, rectangle)]),
      )
    : {}
}

/**
 * The new positions of nodes between which the gaps become equal. The first and the last one stay, unless there is no room
 * for all between them: then they end further to the right or further below, so that none overlap.
 */
export function distributeNodes(nodes: GraphContent['nodes'], ids: readonly string[], axis: Axis): Positions {
  const [start, end] = axis === 'horizontal' ? (['left', 'right'] as const) : (['top', 'bottom'] as const)
  const middleOf = (rectangle: Rectangle) => rectangle[start] + rectangle[end]
  const placed = placeNodes(nodes, ids).sort((a, b) => middleOf(a.rectangle) - middleOf(b.rectangle))
  const all = unite(placed.map(({ rectangle }) => rectangle))
  if (!all || placed.length < 3) return {}
  const taken = placed.reduce((sum, { rectangle }) => sum + rectangle[end] - rectangle[start], 0)
  const gap = Math.max(LEAST_GAP, (all[end] - all[start] - taken) / (placed.length - 1))
  let at = all[start]
  const offsets = placed.map(({ id, rectangle }) => {
    const offset = at - rectangle[start]
    at += rectangle[end] - rectangle[start] + gap
    return [id, axis === 'horizontal' ? { x: offset, y: 0 } : { x: 0, y: offset }] as const
  })
  return move(nodes, offsets)
}

const placeNodes = (nodes: GraphContent['nodes'], ids: readonly string[]) =>
  ids.flatMap((id) => (nodes[id] ? [{ id, rectangle: rectangleOf(nodes[id]) }] : []))

/** A node's position is not the corner of its box, but moves with it. */
const move = (
  nodes: GraphContent['nodes'],
  offsets: readonly (readonly [id: string, offset: { x: number; y: number }])[],
): Positions =>
  Object.fromEntries(
    offsets.flatMap(([id, { x, y }]) => {
      const { position } = nodes[id]!
      return x === 0 && y === 0 ? [] : [[id, { x: position.x + x, y: position.y + y }]]
    }),
  )
