import type { Node } from '@meadow/contract'
import type { PanelState, ScribbleState, SketchState } from '@meadow/document'
import { type Scheme, shownInk } from '../layout/colours.ts'
import {
  boxOf,
  FONT_SIZE,
  FRAME,
  labelOf,
  layOutScribble,
  NAME_WIDTH,
  type NodeBox,
} from '../layout/node-box.ts'

/** The style of a painted node. */
export type NodeLook =
  | 'plain'
  | 'panel'
  | 'hidden'
  | 'disabled'
  | 'warning'
  | 'error'
  | 'unsupported'
  | 'unknown'
  | 'selected'

/** The colours of fill and text, as in `nodes.module.css`. */
export const NODE_COLOURS: Record<Scheme, Record<NodeLook, readonly [fill: string, text: string]>> = {
  light: {
    plain: ['#d9dcd9', '#1d211f'],
    panel: ['#fdf6d2', '#1d211f'],
    hidden: ['#b4b8b5', '#1d211f'],
    disabled: ['#c9c9c9', '#5e5e5e'],
    warning: ['#f5bd6a', '#1d211f'],
    error: ['#f0897d', '#1d211f'],
    unsupported: ['#6f52b5', '#ffffff'],
    unknown: ['#e2dbf4', '#1d211f'],
    selected: ['#a5dd9c', '#1d211f'],
  },
  dark: {
    plain: ['#4a504d', '#eef1ef'],
    panel: ['#57502f', '#eef1ef'],
    hidden: ['#343937', '#eef1ef'],
    disabled: ['#3a3a3a', '#a3a3a3'],
    warning: ['#8a5d17', '#ffffff'],
    error: ['#98372d', '#ffffff'],
    unsupported: ['#b39ee8', '#17131f'],
    unknown: ['#4a4070', '#eef1ef'],
    selected: ['#3b7d3f', '#ffffff'],
  },
}
const EDGE: Record<Scheme, string> = { light: '#5d6360', dark: '#0f1110' }
const NAME_FILL: Record<Scheme, string> = { light: '#2c302e', dark: '#16191a' }
/** The colour of notes, as for `.scribble` in `nodes.module.css`. */
const NOTE_COLOUR: Record<Scheme, string> = { light: '#000000', dark: '#c3cac6' }

interface NodePaint {
  scheme: Scheme
  lookOf: (node: Node) => NodeLook
  /** Device pixels per canvas unit. */
  scale: number
  /** CSS pixels per canvas unit. */
  zoom: number
  fontFamily: string
  /** Whether notes are elements of the page, and not painted. */
  skipsNotes: boolean
}

/** Below this zoom names are too small to be read, and are not painted. */
export const TEXT_ZOOM = 0.28
/** Below this zoom the boxes of names are too small to be seen. */
const NAME_ZOOM = 0.14
/** The least size of a note that is painted, in CSS pixels. */
const MIN_NOTE_SIZE = 3
/** The radii of corners, in canvas units. */
const RADIUS = 5
const ROUND = 11

/**
 * Paints nodes as they look as elements, without what can be edited, and lines drawn by hand. Returns the steps that write
 * their names, which take longest, a few in each.
 */
export function paintNodes(
  context: CanvasRenderingContext2D,
  nodes: readonly Node[],
  paint: NodePaint,
): Iterator<void> {
  const boxes = nodes.map((node) => ({ node, box: boxOf(node) }))
  const byKind = Map.groupBy(boxes, ({ box: { shape } }) =>
    shape === 'sketch' || shape === 'scribble' ? shape : 'box',
  )
  for (const { node } of byKind.get('sketch') ?? []) paintSketch(context, node, paint)
  const inBoxes = byKind.get('box') ?? []
  paintBoxes(context, inBoxes, paint)
  return writeNames(context, inBoxes, paint.skipsNotes ? [] : (byKind.get('scribble') ?? []), paint)
}

interface NodeInBox {
  node: Node
  box: NodeBox
}

function paintBoxes(
  context: CanvasRenderingContext2D,
  boxes: readonly NodeInBox[],
  { scheme, lookOf, zoom }: NodePaint,
): void {
  const colours = NODE_COLOURS[scheme]
  const isRound = zoom >= TEXT_ZOOM
  const looks = Map.groupBy(boxes, ({ node }) => lookOf(node))
  for (const [look, same] of looks) {
    const path = new Path2D()
    for (const { box } of same) addBox(path, box, isRound)
    context.fillStyle = colours[look][0]
    context.fill(path)
    context.setLineDash([])
    context.strokeStyle = EDGE[scheme]
    context.lineWidth = 1
    context.stroke(path)
  }
  if (zoom < NAME_ZOOM) return
  const names = new Path2D()
  for (const { box } of boxes) {
    const { shape, x, y, height, columns } = box
    if (shape === 'component') names.rect(x + FRAME + columns.left, y + 4, NAME_WIDTH, height - 8)
  }
  context.fillStyle = NAME_FILL[scheme]
  context.fill(names)
}

/** The number of names that one step writes. */
const NAMES = 40

function* writeNames(
  context: CanvasRenderingContext2D,
  boxes: readonly NodeInBox[],
  notes: readonly NodeInBox[],
  paint: NodePaint,
): Generator<undefined, void> {
  const { scheme, lookOf, zoom, fontFamily } = paint
  for (const { node, box } of notes) paintNote(context, node, box, paint)
  if (zoom < TEXT_ZOOM) return
  const colours = NODE_COLOURS[scheme]
  for (let from = 0; from < boxes.length; from += NAMES) {
    context.font = `${FONT_SIZE}px ${fontFamily}`
    context.textBaseline = 'middle'
    context.textAlign = 'center'
    for (const { node, box } of boxes.slice(from, from + NAMES))
      paintName(context, node, box, colours[lookOf(node)][1])
    yield
  }
}

function addBox(path: Path2D, { shape, x, y, width, height }: NodeBox, isRound: boolean): void {
  if (!isRound) path.rect(x, y, width, height)
  else
    path.roundRect(
      x,
      y,
      width,
      height,
      shape === 'parameter' || shape === 'relay' ? Math.min(ROUND, height / 2) : RADIUS,
    )
}

function paintName(context: CanvasRenderingContext2D, node: Node, box: NodeBox, colour: string): void {
  const { shape, x, y, width, height, columns } = box
  if (shape === 'component') {
    context.save()
    context.translate(x + FRAME + columns.left + NAME_WIDTH / 2, y + height / 2)
    context.rotate(-Math.PI / 2)
    context.fillStyle = '#ffffff'
    context.fillText(shorten(labelOf(node), height - 14), 0, 0)
    context.restore()
    return
  }
  context.fillStyle = colour
  if (shape === 'panel') {
    paintPanelText(context, node, box)
    return
  }
  const isField = shape !== 'parameter' && shape !== 'relay'
  const label = shape === 'relay' ? node.nickName : labelOf(node)
  context.textAlign = isField ? 'left' : 'center'
  context.fillText(shorten(label, width - 12), isField ? x + 8 : x + width / 2, y + height / 2)
  context.textAlign = 'center'
}

const PANEL_LINE = 15

/** The first lines of a panel that has a text of its own. */
function paintPanelText(
  context: CanvasRenderingContext2D,
  node: Node,
  { x, y, width, height }: NodeBox,
): void {
  if ((node.sources[node.instanceId]?.length ?? 0) > 0) return
  const isNamed = node.nickName !== ''
  const lines = (node.state as PanelState).text.split('\n').slice(0, Math.floor((height - 8) / PANEL_LINE))
  context.textAlign = 'left'
  for (const [index, line] of lines.entries())
    context.fillText(shorten(line, width - 16), x + 10, y + (isNamed ? 24 : 6) + PANEL_LINE * (index + 0.5))
  context.textAlign = 'center'
}

/** Cuts a text to about this width: the layout knows widths only approximately. */
const shorten = (text: string, width: number): string => {
  const length = Math.max(1, Math.floor(width / AVERAGE_WIDTH))
  return text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`
}
const AVERAGE_WIDTH = 6

function paintSketch(
  context: CanvasRenderingContext2D,
  { position, state }: Node,
  { scheme, scale }: NodePaint,
): void {
  const { lines, colour, width } = state as SketchState
  const path = new Path2D()
  for (const line of lines)
    for (const [index, [x, y]] of line.entries())
      if (index === 0) path.moveTo(position.x + x, position.y + y)
      else path.lineTo(position.x + x, position.y + y)
  context.setLineDash([])
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.strokeStyle = shownInk(colour, scheme)
  context.lineWidth = Math.max(width, 0.5 / scale)
  context.stroke(path)
  context.lineCap = 'butt'
  context.lineJoin = 'miter'
}

function paintNote(
  context: CanvasRenderingContext2D,
  node: Node,
  { x, y }: NodeBox,
  { scheme, zoom, fontFamily }: NodePaint,
): void {
  const { isBold, isItalic } = node.state as ScribbleState
  const { lines, lineHeight, fontSize } = layOutScribble(node)
  if (fontSize * zoom < MIN_NOTE_SIZE) return
  context.font = `${isItalic ? 'italic ' : ''}${isBold ? 'bold ' : ''}${fontSize}px ${fontFamily}`
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.fillStyle = NOTE_COLOUR[scheme]
  for (const [index, line] of lines.entries()) context.fillText(line, x, y + lineHeight * (index + 0.5))
}
