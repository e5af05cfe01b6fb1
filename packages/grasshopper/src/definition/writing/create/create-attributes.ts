import type { Node, Size } from '@meadow/document'
import type { Chunk, Item, Rectangle } from '../../../archive/archive.ts'
import { createChunk, createItem } from '../../../archive/create.ts'
import { CLASS } from '../../objects/class-ids.ts'
import { toSingle } from '../coerce.ts'
import { boundsOf, findOwnSize, sizeOfComponent, sizeOfParameter } from '../layout.ts'
import { isParameter } from '../prepare/settle-names.ts'

/** The box of a new object. Boxes that the user sizes are placed by their corner, all else by its middle. */
export function findBounds(node: Node): Rectangle {
  const own = findOwnSize(node) ?? USUAL_SIZES.get(node.templateId)
  const size = own ?? (isParameter(node) ? sizeOfParameter(node) : sizeOfComponent(node))
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

/** What some kinds keep of their look beside their place. */
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
