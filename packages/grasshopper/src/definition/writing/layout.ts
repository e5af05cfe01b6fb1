import type { Node, Size } from '@meadow/document'
import type { Chunk, Item, Rectangle } from '../../archive/tree/archive.ts'
import { createChunk, createItem } from '../../archive/tree/edit.ts'
import { CLASS } from '../model/class-ids.ts'
import { toRecord, toSingle } from '../model/coerce.ts'
import { isParameterNode } from '../reading/pins.ts'

/* Approximate layout of new objects, until Grasshopper draws them itself. Source: sizes in files. */

/** A side of an object, on which it has ports. */
export type Side = 'input' | 'output'

const LETTER_WIDTH = 7
const ROW_HEIGHT = 20
const BORDER = 2

/** The box of a node, whose position is its middle or its corner. */
export function boundsOf(node: Node, size: Size, isPlacedByMiddle: boolean): Rectangle {
  const [width, height] = [toSingle(size.width), toSingle(size.height)]
  const { x, y } = node.position
  return isPlacedByMiddle
    ? { x: toSingle(x - width / 2), y: toSingle(y - height / 2), width, height }
    : { x: toSingle(x), y: toSingle(y), width, height }
}

/** The size in the state of a node that the user can resize. */
function findOwnSize({ state }: Node): Size | undefined {
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

function sizeOfParameter({ nickName }: Node): Size {
  return { width: Math.max(50, 24 + LETTER_WIDTH * nickName.length), height: 24 }
}

/** The box of a new object. The position of objects that the user can resize is their corner, that of others the middle. */
export function findBounds(node: Node): Rectangle {
  const own = findOwnSize(node) ?? USUAL_SIZES.get(node.templateId)
  const size = own ?? (isParameterNode(node) ? sizeOfParameter(node) : sizeOfComponent(node))
  return boundsOf(node, size, own === undefined || node.templateId === CLASS.relay)
}

const USUAL_SIZES = new Map<string, Size>([
  [CLASS.numberSlider, { width: 160, height: 20 }],
  [CLASS.panel, { width: 160, height: 100 }],
  [CLASS.booleanToggle, { width: 100, height: 22 }],
  [CLASS.button, { width: 100, height: 22 }],
  [CLASS.valueList, { width: 120, height: 22 }],
  [CLASS.colourSwatch, { width: 88, height: 20 }],
  [CLASS.relay, { width: 40, height: 16 }],
  [CLASS.controlKnob, { width: 100, height: 100 }],
  [CLASS.genePool, { width: 160, height: 92 }],
  [CLASS.mdSlider, { width: 150, height: 150 }],
  [CLASS.graphMapper, { width: 150, height: 150 }],
  [CLASS.imageSampler, { width: 180, height: 180 }],
  [CLASS.scribble, { width: 100, height: 30 }],
  [CLASS.sketch, { width: 0, height: 0 }],
])

export function createAttributes(node: Node, bounds: Rectangle): Chunk {
  const { x, y } = node.position
  return createChunk('Attributes', [
    createItem('drawing_rectanglef', 'Bounds', bounds),
    createItem('drawing_pointf', 'Pivot', { x: toSingle(x), y: toSingle(y) }),
    ...structuredClone(LOOKS.get(node.templateId) ?? []),
  ])
}

/** Additional attributes of some classes. */
const LOOKS = new Map<string, (Item | Chunk)[]>([
  [CLASS.panel, ['MarginLeft', 'MarginRight', 'MarginTop'].map((name) => createItem('int32', name, 0))],
  [CLASS.genePool, [createItem('double', 'SliderScroll', 0)]],
  [CLASS.quickGraph, [createItem('int32', 'SelectedIndex', -1)]],
  [
    CLASS.sketch,
    [
      createChunk('SketchProperties', [
        createItem('drawing_color', 'Color', 0xff000000),
        createItem('int32', 'Pattern', 0),
        createItem('single', 'Width', 1),
      ]),
    ],
  ],
])
