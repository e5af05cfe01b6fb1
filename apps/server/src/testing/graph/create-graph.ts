import type { GraphContent, Node, PortReference } from '@meadow/contract'
import {
  type CanvasObject,
  type ComponentKind,
  createRecord,
  isOfferedVersion,
  type LibraryPort,
  listCanvasObjects,
  listComponents,
  listParameterTypes,
  type NodeState,
  type PanelState,
  type ParameterType,
} from '@meadow/document'
import { createComponentNode, createParameterNode, type PortPlan, stableId } from './create-nodes.ts'
import { type Input, toFeed } from './feed.ts'

/** Draws the graph of a definition. Inputs are outputs of nodes that were drawn before. */
export interface Canvas {
  /** Begins a group: nodes that are drawn from now on belong to it. */
  group(label: string, colour: keyof typeof GROUP_COLOURS): void
  /** A slider of whole numbers. */
  slider(nickName: string, value: number, range: { from: number; to: number }): Drawn
  /** A panel whose lines are values. */
  text(nickName: string, lines: string): Drawn
  /** A floating parameter of a type such as `Point`. */
  parameter(typeName: string, nickName: string, input: Input): Drawn
  /** A component by its name in the catalogue, `Vector/Rotate` where two share a name. */
  add(component: string, inputs: Inputs, nickName?: string): Drawn
  /** A C# script of Rhino 8. */
  script(nickName: string, script: Script): Drawn
  /** A panel that shows a result. */
  panel(nickName: string, source: PortReference): void
  /** Shows geometry in a colour, `#rrggbbaa`. */
  paint(nickName: string, colour: string, geometry: Input): void
}

/** Inputs in the order of the ports, or by name or nickname. */
type Inputs = readonly Input[] | Readonly<Record<string, Input>>

interface Script {
  source: string
  /** By the name of the variable. */
  inputs: Readonly<Record<string, Input>>
  /** The inputs with list access. */
  lists: readonly string[]
  outputs: readonly string[]
}

/** A node of the drawing. As the input of another node it refers to its first output. */
interface Drawn extends PortReference {
  /** The output with this name. Throws when the node has none. */
  out(portName: string): PortReference
}

/**
 * Draws a graph. The id of a node is derived from the name of the graph and its nickname; equal nicknames are numbered.
 * Throws when a component, a port or a literal is not in the catalogue.
 */
export function createGraph(name: string, draw: (canvas: Canvas) => void): GraphContent {
  const drawing = createDrawing(name)
  draw(createCanvas(drawing))
  return drawing.finish()
}

const GROUP_COLOURS = { inputs: '#8fbf8f96', geometry: '#7fa8d996' }
/** Nodes stand in a row, in canvas units. */
const NODE_DISTANCE = 300

type Drawing = ReturnType<typeof createDrawing>

function createDrawing(name: string) {
  const nodes: Node[] = []
  const groups: GraphContent['groups'] = []
  const timesUsed = new Map<string, number>()
  const createId = (nodeName: string): string => {
    const times = (timesUsed.get(nodeName) ?? 0) + 1
    timesUsed.set(nodeName, times)
    return stableId(name, times === 1 ? nodeName : `${nodeName} ${times}`)
  }
  return {
    createId,
    openGroup(label: string, colour: keyof typeof GROUP_COLOURS): void {
      const id = createId(`group ${label}`)
      groups.push({ id, label, colour: GROUP_COLOURS[colour], nodeInstanceIds: [], groupIds: [] })
    },
    addNode(node: Node): Drawn {
      const group = groups.at(-1)
      if (!group) throw new Error(`${name}: a node before the first group.`)
      group.nodeInstanceIds.push(node.instanceId)
      nodes.push({ ...node, position: { x: nodes.length * NODE_DISTANCE, y: 0 } })
      return toDrawn(node)
    },
    finish: (): GraphContent => ({
      nodes: createRecord(nodes.map((node) => [node.instanceId, node])),
      groups,
      configuration: { inputs: [], outputs: [] },
    }),
  }
}

function toDrawn(node: Node): Drawn {
  const outputs = Object.keys(node.outputs)
  const nodeInstanceId = node.instanceId
  return {
    nodeInstanceId,
    portInstanceId: outputs[0] ?? nodeInstanceId,
    out: (portName) => {
      const portInstanceId = outputs.find((id) => node.ports[id]?.name === portName)
      if (portInstanceId) return { nodeInstanceId, portInstanceId }
      throw new Error(`${node.name} has no output "${portName}".`)
    },
  }
}

/** C# Script of Rhino 8. */
const SCRIPT = { guid: 'b6ba1144-02d6-4a2d-b53c-ec62e290eeb7', name: 'C# Script' }
/** The output with what a script prints. */
const STANDARD_OUTPUT = {
  name: 'out',
  nickName: 'out',
  typeName: 'Text',
  access: 'item',
  isOptional: false,
} as const

function createCanvas(drawing: Drawing): Canvas {
  const addBox = (name: string, nickName: string, input: Input, state?: NodeState) => {
    const kind = getCanvasObject(name)
    if (!kind.parameter) throw new Error(`${name} is not one parameter.`)
    const basics = { id: drawing.createId(nickName || name), kind, nickName, ...(state && { state }) }
    return drawing.addNode(createParameterNode(basics, kind.parameter, toFeed(input)))
  }
  const add: Canvas['add'] = (component, inputs, nickName) => {
    const kind = getComponent(component)
    const basics = {
      id: drawing.createId(nickName ?? kind.nickName),
      kind,
      nickName: nickName ?? kind.nickName,
    }
    return drawing.addNode(
      createComponentNode(basics, matchPorts(kind.inputs, inputs, component), kind.outputs),
    )
  }
  return {
    add,
    group: drawing.openGroup,
    slider: (nickName, value, { from, to }) =>
      addBox(
        'Number Slider',
        nickName,
        { type: 'integer', value },
        { kind: 'slider', minimum: from, maximum: to, decimals: 0, interval: 'integer', size: SLIDER_SIZE },
      ),
    text: (nickName, lines) => addBox('Panel', nickName, lines.split('\n'), createPanelState(lines)),
    panel: (nickName, source) => {
      addBox('Panel', nickName, source, createPanelState(''))
    },
    parameter: (typeName, nickName, input) => {
      const basics = { id: drawing.createId(nickName), kind: getParameterType(typeName), nickName }
      const sides = { typeName, hasInput: true, hasOutput: true }
      const node = createParameterNode(basics, sides, toFeed(input))
      return drawing.addNode({ ...node, status: { isEnabled: true, isPreviewed: false } })
    },
    script: (nickName, { source, inputs, lists, outputs }) => {
      const plans = Object.entries(inputs).map(([variable, input]) => ({
        port: createVariable(variable, lists.includes(variable) ? 'list' : 'item'),
        input,
      }))
      const results = [STANDARD_OUTPUT, ...outputs.map((variable) => createVariable(variable, 'item'))]
      const state = { kind: 'script', language: 'csharp', languageSpec: '*.*.csharp *.*', source } as const
      const basics = { id: drawing.createId(nickName), kind: SCRIPT, nickName, state }
      return drawing.addNode(createComponentNode(basics, plans, results))
    },
    paint: (nickName, colour, geometry) => {
      const swatch = addBox('Colour Swatch', nickName, { type: 'colour', value: colour })
      add('Custom Preview', { Geometry: geometry, Material: swatch }, `Show ${nickName}`)
    },
  }
}

const SLIDER_SIZE = { width: 200, height: 20 }

/** A panel with a value per line. */
const createPanelState = (text: string): PanelState => ({
  kind: 'panel',
  text,
  isMultiline: false,
  colour: '#fffa5aff',
  alignment: 'left',
  wraps: true,
  drawsIndices: false,
  drawsPaths: false,
  size: { width: 180, height: 60 },
})

function createVariable(name: string, access: 'item' | 'list'): PortPlan['port'] {
  return { name, nickName: name, typeName: 'Script Parameter', access, isOptional: true }
}

/** Assigns inputs to ports. Throws for an input without a port. */
function matchPorts(ports: readonly LibraryPort[], inputs: Inputs, owner: string): PortPlan[] {
  const plans: PortPlan[] = ports.map((port) => ({ port }))
  for (const [key, input] of Object.entries(inputs)) {
    const plan = Array.isArray(inputs)
      ? plans[Number(key)]
      : (plans.find(({ port }) => port.name === key) ?? plans.find(({ port }) => port.nickName === key))
    if (!plan) throw new Error(`${owner} has no input "${key}".`)
    plan.input = input
  }
  return plans
}

/** The component of this name, in its newest version; `Vector/Rotate` where two categories share a name. */
function getComponent(name: string): ComponentKind {
  const current = listComponents().filter(isOfferedVersion)
  return getOnly(current, name, ({ category, ...kind }) => [kind.name, `${category}/${kind.name}`])
}

function getCanvasObject(name: string): CanvasObject {
  return getOnly(listCanvasObjects(), name, (kind) => [kind.name])
}

function getParameterType(name: string): ParameterType {
  return getOnly(listParameterTypes(), name, (kind) => [kind.name])
}

function getOnly<T>(kinds: readonly T[], name: string, namesOf: (kind: T) => string[]): T {
  const [found, ...others] = kinds.filter((kind) => namesOf(kind).includes(name))
  if (!found || others.length > 0) throw new Error(`The catalogue has ${found ? 'several' : 'no'} "${name}".`)
  return found
}
