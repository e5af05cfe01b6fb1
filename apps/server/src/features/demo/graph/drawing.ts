import type { GraphContent, Node, PortReference } from '@meadow/contract'
import { createRecord } from '@meadow/document'
import { arrangeGraph } from './arrange-graph.ts'
import { stableId } from './create-nodes.ts'

interface OpenGroup {
  id: string
  label: string
  colour: GroupColour
  notes: Node[]
  nodes: Node[]
}

/** A graph that is being drawn. */
export interface Drawing {
  openGroup(label: string, colour: GroupColour): void
  /** The id of a node, derived from its name; equal names are numbered. */
  createId(name: string): string
  /** Adds a node to the open group. */
  addNode(node: Node): Drawn
  addNote(note: Node): void
  pin(pinned: GraphContent['configuration']): void
  /** The graph, with the positions of all nodes. */
  finish(): GraphContent
}

export function createDrawing(name: string): Drawing {
  const groups: OpenGroup[] = []
  const timesUsed = new Map<string, number>()
  let configuration: GraphContent['configuration'] = { inputs: [], outputs: [] }

  const getOpenGroup = () => {
    const group = groups.at(-1)
    if (!group) throw new Error(`${name}: a node before the first group.`)
    return group
  }
  const createId = (nodeName: string) => {
    const times = (timesUsed.get(nodeName) ?? 0) + 1
    timesUsed.set(nodeName, times)
    return stableId(name, times === 1 ? nodeName : `${nodeName} ${times}`)
  }
  return {
    createId,
    openGroup: (label, colour) => {
      groups.push({ id: createId(`group ${label}`), label, colour, notes: [], nodes: [] })
    },
    addNode: (node) => {
      getOpenGroup().nodes.push(node)
      return toDrawn(node)
    },
    addNote: (note) => {
      getOpenGroup().notes.push(note)
    },
    pin: (pinned) => {
      configuration = pinned
    },
    finish: () => {
      arrangeGraph(groups)
      return {
        nodes: createRecord(groups.flatMap(listMembers).map((node) => [node.instanceId, node])),
        groups: groups.map((group) => ({
          id: group.id,
          label: group.label,
          colour: GROUP_COLOURS[group.colour],
          nodeInstanceIds: listMembers(group).map(({ instanceId }) => instanceId),
          groupIds: [],
        })),
        configuration,
      }
    },
  }
}

const listMembers = ({ notes, nodes }: OpenGroup) => [...notes, ...nodes]

/** A node of the drawing. As the input of another node it refers to its first output. */
export interface Drawn extends PortReference {
  /** The output with this name. Throws when the node has none. */
  out(portName: string): PortReference
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

/** The colours of groups by purpose, as `#rrggbbaa`. */
const GROUP_COLOURS = {
  inputs: '#8fbf8f96',
  planes: '#9fb7d996',
  geometry: '#7fa8d996',
  data: '#b9a3d996',
  structure: '#d9b48f96',
  display: '#e3d58596',
  results: '#7fccc496',
} as const

export type GroupColour = keyof typeof GROUP_COLOURS
