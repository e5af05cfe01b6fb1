import type { DataValue, GraphContent, Node, Port } from '@meadow/contract'
import { createDataTree } from '@meadow/document'

/** A node for a test: ports `ID.i0`, `ID.o0` …; a parameter has one, `ID`. */
export interface NodeSketch {
  guid: string
  /** For each input: a wire `ID` or `ID.o0`, several wires, or literals. */
  inputs?: readonly (string | readonly string[] | { typed: readonly (DataValue | null)[] })[]
  outputs?: number
  isParameter?: boolean
  /** A parameter whose port is an input only, as that of a Cluster Output. */
  isSink?: boolean
  isEnabled?: boolean
  port?: Partial<Port>
  state?: Record<string, unknown>
}

/** Literals of an input. */
export const numbers = (...values: number[]): { typed: DataValue[] } => ({
  typed: values.map((value) => ({ type: 'number', value })),
})

/** A Number parameter that holds these. */
export const number = (...values: number[]): NodeSketch => ({
  guid: '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312',
  isParameter: true,
  inputs: [numbers(...values)],
})

/** A graph of nodes by id. */
export function sketchGraph(sketches: Readonly<Record<string, NodeSketch>>): GraphContent {
  return {
    nodes: Object.fromEntries(Object.entries(sketches).map(([id, sketch]) => [id, sketchNode(id, sketch)])),
    groups: [],
    configuration: { inputs: [], outputs: [] },
  }
}

function sketchNode(id: string, sketch: NodeSketch): Node {
  const { guid, inputs = [], outputs = 1, isEnabled = true, port = {}, state } = sketch
  const { isSink = false, isParameter = isSink } = sketch
  const inputIds = isParameter ? [id] : inputs.map((_, i) => `${id}.i${i}`)
  const ownOutputs = isSink ? [] : [id]
  const outputIds = isParameter ? ownOutputs : Array.from({ length: outputs }, (_, i) => `${id}.o${i}`)
  const node: Node = {
    instanceId: id,
    templateId: guid,
    name: id,
    nickName: id,
    position: { x: 0, y: 0 },
    status: { isEnabled, isPreviewed: true },
    inputs: Object.fromEntries(inputIds.map((key, i) => [key, i])),
    outputs: Object.fromEntries(outputIds.map((key, i) => [key, i])),
    sources: {},
    values: {},
    ports: Object.fromEntries(
      [...outputIds, ...inputIds].map((key) => [key, { ...PORT, nickName: key, ...port }]),
    ),
    ...(state ? { state } : {}),
  }
  for (const [i, input] of inputs.entries()) {
    const key = inputIds[i] ?? id
    if (typeof input === 'object' && 'typed' in input) {
      node.values[key] = createDataTree([{ path: [0], values: input.typed }])
    } else {
      const wires = typeof input === 'string' ? [input] : input
      node.sources[key] = wires.map((wire) => ({
        nodeInstanceId: wire.split('.')[0] ?? '',
        portInstanceId: wire,
      }))
    }
  }
  return node
}

const PORT: Port = { name: 'Port', nickName: 'P', typeName: 'Data', access: 'item', flags: [] }
