import type { Node, Size } from '@meadow/document'
import type { Rectangle } from '../../archive/archive.ts'
import { toRecord, toSingle } from './coerce.ts'
import type { Side } from './ports/create-port.ts'

/** Places on the canvas about as Grasshopper lays them out itself once it draws. Source: sizes met in files. */

const LETTER_WIDTH = 7
const ROW_HEIGHT = 20
const BORDER = 2

/** The box of a node without its own size, around its position: its middle, or its corner. */
export function boundsOf(node: Node, size: Size, isPlacedByMiddle: boolean): Rectangle {
  const [width, height] = [toSingle(size.width), toSingle(size.height)]
  const { x, y } = node.position
  return isPlacedByMiddle
    ? { x: toSingle(x - width / 2), y: toSingle(y - height / 2), width, height }
    : { x: toSingle(x), y: toSingle(y), width, height }
}

/** The size that the user gave to the node, where its state tells. */
export function findOwnSize({ state }: Node): Size | undefined {
  if (state?.size === undefined) return undefined
  const { width, height } = toRecord(state.size)
  return { width: toSingle(width), height: toSingle(height) }
}

export function sizeOfComponent(node: Node): Size {
  const rows = Math.max(1, Object.keys(node.inputs).length, Object.keys(node.outputs).length)
  return {
    width: columnWidth(node, 'input') + 28 + columnWidth(node, 'output'),
    height: rows === 1 ? 28 : ROW_HEIGHT * rows + 2 * BORDER,
  }
}

/** The row of each port of a component, by port id. */
export function rowsOf(node: Node, bounds: Rectangle): Map<string, Rectangle> {
  return new Map([...listRows(node, 'input', bounds), ...listRows(node, 'output', bounds)])
}

function listRows(node: Node, side: Side, box: Rectangle): [string, Rectangle][] {
  const ids = Object.keys(side === 'input' ? node.inputs : node.outputs)
  const width = columnWidth(node, side)
  const height = (box.height - 2 * BORDER) / ids.length
  const x = side === 'input' ? box.x + BORDER : box.x + box.width - BORDER - width
  return ids.map((id, row) => [id, { x, y: toSingle(box.y + BORDER + row * height), width, height }])
}

function columnWidth(node: Node, side: Side): number {
  const ids = Object.keys(side === 'input' ? node.inputs : node.outputs)
  const longest = ids.reduce((most, id) => Math.max(most, node.ports[id]?.nickName.length ?? 0), 0)
  return longest === 0 ? 8 : 8 + LETTER_WIDTH * longest
}

export function sizeOfParameter({ nickName }: Node): Size {
  return { width: Math.max(50, 24 + LETTER_WIDTH * nickName.length), height: 24 }
}
