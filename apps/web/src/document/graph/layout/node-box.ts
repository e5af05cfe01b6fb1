import type { Node } from '@meadow/contract'
import type { NodeState, ScribbleState, Size, SketchState } from '@meadow/document'

/** How a node is drawn and edited on the canvas. */
export type NodeShape =
  | 'component'
  | 'parameter'
  | 'slider'
  | 'panel'
  | 'toggle'
  | 'valueList'
  | 'swatch'
  | 'scribble'
  | 'sketch'
  | 'relay'

/** The position of a port at the left or right edge, from the node's upper left corner. */
export interface PortPosition {
  id: string
  x: number
  y: number
}

/** A node's box on the canvas, in canvas units. */
export interface NodeBox extends Size {
  shape: NodeShape
  /** The upper left corner. A node's own `position` is the corner or the center, by its shape. */
  x: number
  y: number
  inputs: PortPosition[]
  outputs: PortPosition[]
  /** The widths of the columns of port names; zero for shapes other than a component. */
  columns: { left: number; right: number }
}

/*
 * A document has the sizes of panels, sliders and other nodes that people resize. The other nodes have the size that
 * Grasshopper gives them, so that they do not cover what its author placed beside them. The numbers are those of the boxes
 * in files, which follow from the names of nodes and ports.
 */

const ROW_HEIGHT = 20
/** The width of the dark box with a component's name. The position of the node is the middle of this box. */
export const NAME_WIDTH = 24
/** The width of the frame around the columns and the name of a component. */
export const FRAME = 2
/** The padding beside the names of ports in both columns, and the additional padding of outputs. */
const PORT_PADDING = 9
const OUTPUT_PADDING = 3
const MIN_COLUMN = 12
/** The width of a mark of a port: flattened, grafted, simplified or reversed. */
const FLAG_WIDTH = 17
/** The largest height for a name; longer names are cut off. */
const MAX_NAME_HEIGHT = 48
/** The font size of the names of nodes and ports. */
export const FONT_SIZE = 11

const TOGGLE = '2e78987b-9dfb-42a2-8b76-3923ac8bd91a'
const SWATCH = '9c53bac0-ba66-40bd-8154-ce9829b9db1a'
const RELAY = 'b6236720-8d88-4289-93c3-ac4c99f9b97b'

const SHAPES_BY_STATE: Partial<Record<NodeState['kind'], NodeShape>> = {
  slider: 'slider',
  panel: 'panel',
  valueList: 'valueList',
  scribble: 'scribble',
  sketch: 'sketch',
}
const SHAPES_BY_KIND: Record<string, NodeShape> = { [TOGGLE]: 'toggle', [SWATCH]: 'swatch', [RELAY]: 'relay' }

/** Shapes whose `position` is the upper left corner and not the center (as in Grasshopper's files). */
const POSITIONED_BY_CORNER: ReadonlySet<NodeShape> = new Set(['slider', 'panel', 'toggle', 'swatch'])

export function shapeOf(node: Node): NodeShape {
  const state = node.state as NodeState | undefined
  const special = SHAPES_BY_KIND[node.templateId] ?? (state && SHAPES_BY_STATE[state.kind])
  if (special) return special
  return isParameter(node) ? 'parameter' : 'component'
}

/** A parameter has one port, whose id is the node's own (decision 0007). */
const isParameter = ({ instanceId, ports }: Node): boolean => Object.hasOwn(ports, instanceId)

/** The port ids of one side in order. */
export const listPorts = (order: Readonly<Record<string, number>>): string[] =>
  Object.keys(order).sort((a, b) => order[a]! - order[b]!)

/** The label of a node or port: its nickname, or its name when that is empty. */
export const labelOf = ({ nickName, name }: Pick<Node, 'nickName' | 'name'>): string =>
  nickName.trim() || name

const boxes = new WeakMap<Node, NodeBox>()

/** Returns the box of a node. It is cached by the node's object, since a changed node is another object. */
export function boxOf(node: Node): NodeBox {
  const cached = boxes.get(node)
  if (cached) return cached
  const box = createBox(node)
  boxes.set(node, box)
  return box
}

function createBox(node: Node): NodeBox {
  const shape = shapeOf(node)
  const [inputs, outputs] = [listPorts(node.inputs), listPorts(node.outputs)]
  const columns =
    shape === 'component'
      ? { left: columnWidth(node, inputs), right: columnWidth(node, outputs, OUTPUT_PADDING) }
      : { left: 0, right: 0 }
  const { width, height } = sizeOf(node, shape, columns, Math.max(inputs.length, outputs.length))
  const { x, y } = cornerOf(node, shape, { width, height, left: columns.left })
  const toPosition = (x: number) => (id: string, index: number, all: string[]) => ({
    id,
    x,
    y: (height * (index + 0.5)) / all.length,
  })
  return {
    shape,
    x,
    y,
    width,
    height,
    inputs: inputs.map(toPosition(0)),
    outputs: outputs.map(toPosition(width)),
    columns,
  }
}

/** The upper left corner of a node. */
function cornerOf(
  { position: { x, y }, state }: Node,
  shape: NodeShape,
  { width, height, left }: Size & { left: number },
) {
  const drawing = boundsOfDrawing(state as NodeState | undefined)
  if (drawing) return { x: x + drawing.x, y: y + drawing.y }
  if (shape === 'component') return { x: x - NAME_WIDTH / 2 - left - FRAME, y: y - height / 2 }
  return POSITIONED_BY_CORNER.has(shape) || shape === 'scribble'
    ? { x, y }
    : { x: x - width / 2, y: y - height / 2 }
}

/** The bounding box of the lines of a sketch or the corners of a scribble, from the position of the node. */
function boundsOfDrawing(state: NodeState | undefined): (Size & { x: number; y: number }) | undefined {
  const points =
    state?.kind === 'sketch' ? state.lines.flat() : state?.kind === 'scribble' ? state.corners : []
  const margin = state?.kind === 'sketch' ? state.width / 2 : 0
  if (points.length === 0) return undefined
  let [left, top, right, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    -Number.POSITIVE_INFINITY,
    -Number.POSITIVE_INFINITY,
  ]
  for (const [x, y] of points) {
    left = Math.min(left, x - margin)
    right = Math.max(right, x + margin)
    top = Math.min(top, y - margin)
    bottom = Math.max(bottom, y + margin)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** The lines of a scribble, and how they are written. */
export function layOutScribble(node: Node) {
  const { text, fontSize } = node.state as ScribbleState
  const lines = listLines(text)
  const lineHeight = boxOf(node).height / lines.length
  // The author can resize the corners of a scribble; the font is then smaller than its size.
  return { lines, lineHeight, fontSize: Math.min(fontSize, lineHeight * FONT_PER_LINE) }
}
const FONT_PER_LINE = 1.06

const listLines = (text: string): string[] => text.trimEnd().split('\n')

/** Returns the size of a scribble without corners, which is about the size of its text. */
function sizeOfText({ text, fontSize }: ScribbleState): Size {
  const lines = listLines(text)
  const longest = Math.max(...lines.map(textWidth))
  return {
    width: Math.max(20, (longest * fontSize) / FONT_SIZE),
    height: Math.max(12, lines.length * fontSize),
  }
}

function sizeOf(node: Node, shape: NodeShape, columns: NodeBox['columns'], rows: number): Size {
  const own = (node.state as { size?: Size } | undefined)?.size
  const label = textWidth(labelOf(node))
  switch (shape) {
    case 'component':
      return {
        width: columns.left + NAME_WIDTH + columns.right + 2 * FRAME,
        // The name is written vertically.
        height: Math.max(28, rows * ROW_HEIGHT + 2 * FRAME, Math.min(MAX_NAME_HEIGHT, label + 14)),
      }
    case 'slider':
      return { width: own?.width ?? Math.max(220, label + 110), height: 20 }
    case 'panel':
      return { width: own?.width ?? 160, height: own?.height ?? 100 }
    case 'toggle':
      return { width: label + 64, height: 22 }
    case 'valueList':
      return { width: Math.max(110, label + 90), height: 22 }
    case 'swatch':
      return { width: 88, height: 20 }
    case 'relay':
      return { width: Math.max(40, node.nickName ? textWidth(node.nickName) + 19 : 0), height: 16 }
    case 'scribble':
      return boundsOfDrawing(node.state as ScribbleState) ?? sizeOfText(node.state as ScribbleState)
    case 'sketch':
      return boundsOfDrawing(node.state as SketchState) ?? { width: 0, height: 0 }
    case 'parameter':
      return {
        width: Math.max(50, label + 9) + FLAG_WIDTH * (node.ports[node.instanceId]?.flags.length ?? 0),
        height: 22,
      }
  }
}

function columnWidth(node: Node, ids: readonly string[], padding = 0): number {
  if (ids.length === 0) return 0
  const widths = ids.map(
    (id) => textWidth(portLabel(node, id)) + FLAG_WIDTH * (node.ports[id]?.flags.length ?? 0),
  )
  return Math.max(MIN_COLUMN, PORT_PADDING + Math.max(...widths)) + padding
}

export const portLabel = (node: Node, id: string): string => {
  const port = node.ports[id]
  return port ? labelOf(port) : '?'
}

/**
 * Returns the approximate width of a text in the canvas font. It is not measured, because the layout has to be the same
 * for all users, and known before anything is drawn.
 */
function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return Math.ceil(width)
}

function characterWidth(character: string): number {
  if (NARROW.has(character)) return 3
  if (WIDE.has(character)) return 9.2
  if (character >= '\u2e80') return 12
  return character >= 'A' && character <= 'Z' ? 7.5 : 5.8
}

const NARROW = new Set("iljtfI-.,:;'|![]() ")
const WIDE = new Set('MWm@%')
