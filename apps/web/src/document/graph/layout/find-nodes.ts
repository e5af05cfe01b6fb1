import type { GraphContent, Node } from '@meadow/contract'
import { boxOf } from './node-box.ts'

/** Reading order: from left to right, then from top to bottom. */
export const compareReadingOrder = (a: Node, b: Node): number => {
  const [first, second] = [boxOf(a), boxOf(b)]
  return first.x - second.x || first.y - second.y
}

/** The first node in reading order. Undefined for an empty document. */
export const findFirstNode = (nodes: GraphContent['nodes']): Node | undefined =>
  Object.values(nodes).reduce<Node | undefined>(
    (first, node) => (first && compareReadingOrder(first, node) <= 0 ? first : node),
    undefined,
  )

export type Direction = 'left' | 'right' | 'up' | 'down'

const VECTORS: Record<Direction, readonly [x: number, y: number]> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
}

/**
 * The nearest node in a direction, of those that lie within 45° of it. A distance across the direction counts twice.
 */
export function findNeighbour(
  nodes: GraphContent['nodes'],
  from: Node,
  direction: Direction,
): Node | undefined {
  const [directionX, directionY] = VECTORS[direction]
  const start = centerOf(from)
  let nearest: Node | undefined
  let leastDistance = Number.POSITIVE_INFINITY
  for (const node of Object.values(nodes)) {
    const { x, y } = centerOf(node)
    const along = (x - start.x) * directionX + (y - start.y) * directionY
    const across = Math.abs((x - start.x) * directionY) + Math.abs((y - start.y) * directionX)
    const distance = along + 2 * across
    if (along <= 0 || across > along || distance >= leastDistance) continue
    nearest = node
    leastDistance = distance
  }
  return nearest
}

const centerOf = (node: Node) => {
  const { x, y, width, height } = boxOf(node)
  return { x: x + width / 2, y: y + height / 2 }
}
