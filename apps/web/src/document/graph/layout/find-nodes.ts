import type { GraphContent, Node } from '@meadow/contract'
import type { PanelState, ScribbleState } from '@meadow/document'
import { boxOf } from './node-box.ts'

/** More are not read: a longer word finds fewer. */
const MOST = 100

/** From left to right, and from top to bottom: in the order in which a graph is read. */
const inReadingOrder = (a: Node, b: Node): number => {
  const [first, second] = [boxOf(a), boxOf(b)]
  return first.x - second.x || first.y - second.y
}

/** The nodes whose name, kind or text holds what was typed; all for nothing typed. */
export function findNodes(nodes: GraphContent['nodes'], typed: string): Node[] {
  const query = typed.trim().toLowerCase()
  return Object.values(nodes)
    .filter((node) => textOf(node).toLowerCase().includes(query))
    .sort(inReadingOrder)
    .slice(0, MOST)
}

function textOf({ name, nickName, state }: Node): string {
  const { text = '' } = (state ?? {}) as Partial<PanelState | ScribbleState>
  return `${nickName}\n${name}\n${text}`
}

/** Where the keys begin. Undefined for an empty document. */
export const findFirstNode = (nodes: GraphContent['nodes']): Node | undefined =>
  Object.values(nodes).reduce<Node | undefined>(
    (first, node) => (first && inReadingOrder(first, node) <= 0 ? first : node),
    undefined,
  )

export type Direction = 'left' | 'right' | 'up' | 'down'

const TOWARDS: Record<Direction, readonly [x: number, y: number]> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
}

/** The nearest node in a direction: more beyond it than beside it, and the farther aside the less near. */
export function findNeighbour(
  nodes: GraphContent['nodes'],
  from: Node,
  direction: Direction,
): Node | undefined {
  const [towardsX, towardsY] = TOWARDS[direction]
  const start = middleOf(from)
  let nearest: Node | undefined
  let least = Number.POSITIVE_INFINITY
  for (const node of Object.values(nodes)) {
    const { x, y } = middleOf(node)
    const ahead = (x - start.x) * towardsX + (y - start.y) * towardsY
    const aside = Math.abs((x - start.x) * towardsY) + Math.abs((y - start.y) * towardsX)
    const distance = ahead + 2 * aside
    if (ahead <= 0 || aside > ahead || distance >= least) continue
    nearest = node
    least = distance
  }
  return nearest
}

const middleOf = (node: Node) => {
  const { x, y, width, height } = boxOf(node)
  return { x: x + width / 2, y: y + height / 2 }
}
