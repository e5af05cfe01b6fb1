import type { GraphContent, Node } from '@meadow/contract'
import { createRecord } from '@meadow/document'
import { arrangeGraph } from './arrange-graph.ts'
import { type Drawn, toDrawn } from './drawn.ts'
import { GROUP_COLOURS, type GroupColour } from './group-colours.ts'
import { stableId } from './stable-id.ts'

interface OpenGroup {
  id: string
  label: string
  colour: GroupColour
  notes: Node[]
  nodes: Node[]
}

/** A graph while it is being drawn. */
export interface Drawing {
  openGroup(label: string, colour: GroupColour): void
  /** The id for a node of this name; a name that comes again gets a number. */
  nextId(name: string): string
  /** Puts a node into the open group. */
  place(node: Node): Drawn
  placeNote(note: Node): void
  pin(pinned: GraphContent['configuration']): void
  /** The graph with every node in its place. */
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
  const nextId = (nodeName: string) => {
    const times = (timesUsed.get(nodeName) ?? 0) + 1
    timesUsed.set(nodeName, times)
    return stableId(name, times === 1 ? nodeName : `${nodeName} ${times}`)
  }
  return {
    nextId,
    openGroup: (label, colour) => {
      groups.push({ id: nextId(`group ${label}`), label, colour, notes: [], nodes: [] })
    },
    place: (node) => {
      getOpenGroup().nodes.push(node)
      return toDrawn(node)
    },
    placeNote: (note) => {
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
