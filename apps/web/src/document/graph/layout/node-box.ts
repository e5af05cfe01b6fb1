import type { Node } from '@meadow/contract'
import type { NodeState, Size } from '@meadow/document'

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

const ROW_HEIGHT = 20
/** The dark box in the middle of a component, with its name. */
const NAME_WIDTH = 26
const MIN_COMPONENT_HEIGHT = 48
/** Longer names are cut off. */
const MAX_NAME_HEIGHT = 70
const PARAMETER_HEIGHT = 22

const TOGGLE = '2e78987b-9dfb-42a2-8b76-3923ac8bd91a'
const SWATCH = '9c53bac0-ba66-40bd-8154-ce9829b9db1a'
const RELAY = 'b6236720-8d88-4289-93c3-ac4c99f9b97b'

const SHAPES_BY_STATE: Partial<Record<NodeState['kind'], NodeShape>> = {
  slider: 'slider',
  panel: 'panel',
  valueList: 'valueList',
  scribble: 'scribble',
}
const SHAPES_BY_KIND: Record<string, NodeShape> = { [TOGGLE]: 'toggle', [SWATCH]: 'swatch', [RELAY]: 'relay' }

/** Shapes whose `position` is the upper left corner and not the center (as in Grasshopper's files). */
const POSITIONED_BY_CORNER: ReadonlySet<NodeShape> = new Set([
  'slider',
  'panel',
  'toggle',
  'swatch',
  'scribble',
])

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

/** Cached by the node's object: a changed node is another object. */
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
      ? { left: columnWidth(node, inputs), right: columnWidth(node, outputs) }
      : { left: 0, right: 0 }
  const { width, height } = sizeOf(node, shape, columns, Math.max(inputs.length, outputs.length))
  const { x, y } = node.position
  const [left, top] = POSITIONED_BY_CORNER.has(shape) ? [x, y] : [x - width / 2, y - height / 2]
  const toPosition = (x: number) => (id: string, index: number, all: string[]) => ({
    id,
    x,
    y: (height * (index + 0.5)) / all.length,
  })
  return {
    shape,
    x: left,
    y: top,
    width,
    height,
    inputs: inputs.map(toPosition(0)),
    outputs: outputs.map(toPosition(width)),
    columns,
  }
}

function sizeOf(node: Node, shape: NodeShape, columns: NodeBox['columns'], rows: number): Size {
  const own = (node.state as { size?: Size } | undefined)?.size
  const label = textWidth(labelOf(node))
  switch (shape) {
    case 'component':
      return {
        width: columns.left + NAME_WIDTH + columns.right + 8,
        // The name is written vertically.
        height: Math.max(MIN_COMPONENT_HEIGHT, rows * ROW_HEIGHT + 6, Math.min(MAX_NAME_HEIGHT, label + 16)),
      }
    case 'slider':
      return { width: Math.max(own?.width ?? 220, label + 110), height: 24 }
    case 'panel':
      return { width: own?.width ?? 160, height: own?.height ?? 100 }
    case 'toggle':
      return { width: label + 70, height: 24 }
    case 'valueList':
      return { width: Math.max(110, label + 90), height: 24 }
    case 'swatch':
      return { width: 88, height: 24 }
    case 'relay':
      return { width: Math.max(40, node.nickName ? textWidth(node.nickName) + 20 : 0), height: 18 }
    case 'scribble':
      return { width: 300, height: 40 }
    case 'parameter':
      return { width: Math.max(50, label + 24), height: PARAMETER_HEIGHT }
  }
}

function columnWidth(node: Node, ids: readonly string[]): number {
  if (ids.length === 0) return 4
  return (
    10 +
    Math.max(...ids.map((id) => textWidth(portLabel(node, id)) + 10 * (node.ports[id]?.flags.length ?? 0)))
  )
}

export const portLabel = (node: Node, id: string): string => {
  const port = node.ports[id]
  return port ? labelOf(port) : '?'
}

/**
 * The approximate width of a text in the canvas font. Not measured: the layout has to be the same for all users, and
 * known before anything is drawn.
 */
function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return Math.ceil(width)
}

function characterWidth(character: string): number {
  if (NARROW.has(character)) return 3.6
  if (character >= '\u2e80') return 12
  return character >= 'A' && character < 'a' ? 8 : 6.4
}

const NARROW = new Set("iljtfI.,:;'|![]() ")
