import type { Node } from '@meadow/contract'
import { findComponent, findParameterType, findScript, type Size } from '@meadow/document'
import type { Corner } from './arrange.ts'

const LETTER_WIDTH = 7

/** About the size that a node has on the canvas. Sliders and panels carry theirs. */
export function sizeOf(node: Node): Size {
  const own = node.state?.size as Size | undefined
  if (own) return own
  return isParameter(node)
    ? { width: Math.max(60, labelWidth(node.nickName)), height: 24 }
    : componentSize(node)
}

/** Top left corner and size. Components and parameters are placed by their middle, boxes by their corner. */
export function boundsOf(node: Node): Corner & Size {
  const size = sizeOf(node)
  const { x, y } = node.position
  return isPlacedByMiddle(node)
    ? { x: x - size.width / 2, y: y - size.height / 2, ...size }
    : { x, y, ...size }
}

/** The position that puts the node's top left corner there. */
export function positionAt({ x, y }: Corner, node: Node): Node['position'] {
  const { width, height } = sizeOf(node)
  return isPlacedByMiddle(node) ? { x: x + width / 2, y: y + height / 2 } : { x, y }
}

const isParameter = (node: Node) => node.instanceId in node.outputs

const isPlacedByMiddle = ({ templateId }: Node) =>
  [findComponent, findScript, findParameterType].some((find) => find(templateId) !== undefined)

const labelWidth = (label: string) => 24 + LETTER_WIDTH * label.length

function componentSize(node: Node): Size {
  const rows = Math.max(Object.keys(node.inputs).length, Object.keys(node.outputs).length)
  const longest = (side: Record<string, number>) =>
    Math.max(0, ...Object.keys(side).map((id) => node.ports[id]?.nickName.length ?? 0))
  const portsWidth = 34 + LETTER_WIDTH * (longest(node.inputs) + longest(node.outputs))
  return {
    width: Math.max(64, portsWidth, labelWidth(node.nickName)),
    height: rows < 2 ? 28 : 20 * rows + 4,
  }
}
