import type { Node } from '@meadow/contract'
import type { NodeState, Size } from '@meadow/document'

/** How a node looks and is edited on the canvas. */
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

/** Where a port stands: its place from the node's upper left corner, at the node's left or right edge. */
export interface PortPosition {
  id: string
  x: number
  y: number
}

/** A node's box on the canvas, in canvas units. */
export interface NodeBox extends Size {
  shape: NodeShape
  /** The upper left corner. A node's own `position` is its middle, or this corner for what the user sizes. */
  x: number
  y: number
  inputs: PortPosition[]
  outputs: PortPosition[]
  /** How wide the columns of port names are. Zero without ports on that side. */
  columns: { left: number; right: number }
}

const ROW_HEIGHT = 20
/** Of the dark box in the middle of a component, with its name. */
const NAME_WIDTH = 26
const MIN_COMPONENT_HEIGHT = 48
/** A longer name is cut off. */
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

/** What is positioned by its corner and not by its middle (as in Grasshopper's files). */
const BY_CORNER: ReadonlySet<NodeShape> = new Set(['slider', 'panel', 'toggle', 'swatch', 'scribble'])

export function shapeOf(node: Node): NodeShape {
  const state = node.state as NodeState | undefined
  const special = SHAPES_BY_KIND[node.templateId] ?? (state && SHAPES_BY_STATE[state.kind])
  if (special) return special
  return isParameter(node) ? 'parameter' : 'component'
}

/** A parameter object is one port, with its node's own id (decision 0007). */
const isParameter = ({ instanceId, ports }: Node): boolean => Object.hasOwn(ports, instanceId)

/** The ids of ports of one side, in their order. */
export const listPorts = (order: Readonly<Record<string, number>>): string[] =>
  Object.keys(order).sort((a, b) => order[a]! - order[b]!)

/** What a node is called on the canvas: its nickname, or its name where that is empty. */
export const labelOf = ({ nickName, name }: Pick<Node, 'nickName' | 'name'>): string =>
  nickName.trim() || name

const boxes = new WeakMap<Node, NodeBox>()

/** Kept for each node, which is another object when it has changed. */
export function boxOf(node: Node): NodeBox {
  const known = boxes.get(node)
  if (known) return known
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
  const [left, top] = BY_CORNER.has(shape) ? [x, y] : [x - width / 2, y - height / 2]
  const place = (at: number) => (id: string, index: number, all: string[]) => ({
    id,
    x: at,
    y: (height * (index + 0.5)) / all.length,
  })
  return {
    shape,
    x: left,
    y: top,
    width,
    height,
    inputs: inputs.map(place(0)),
    outputs: outputs.map(place(width)),
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
        // The name stands upright, and a long one needs room.
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

/** What a port is called on the canvas. */
export const portLabel = (node: Node, id: string): string => {
  const port = node.ports[id]
  return port ? labelOf(port) : '?'
}

/**
 * About how wide a text is in the canvas' font, without measuring it: layout has to be the same for everybody, and
 * before anything is drawn.
 */
function textWidth(text: string): number {
  let width = 0
  for (const letter of text)
    width += NARROW.has(letter) ? 3.6 : letter >= '\u2e80' ? 12 : letter < 'a' && letter > '@' ? 8 : 6.4
  return Math.ceil(width)
}

const NARROW = new Set("iljtfI.,:;'|![]() ")
