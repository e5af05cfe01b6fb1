import type { Node, PortReference } from '@meadow/contract'
import type { Edit } from '../facts/fact.ts'
import { formatFactKey } from '../facts/fact-key.ts'
import { listEdits } from '../facts/list-edits.ts'
import { NODE_FACTS, type NodeFact } from '../facts/node-facts.ts'
import type { Facts } from '../layout.ts'
import { findBorn } from './find-born.ts'
import { inPortOrder } from './in-port-order.ts'

/** A wire at its input, with its place among the others there. */
export interface PlacedWire {
  sender: PortReference
  order: number
}

/** The wires of an input, by what tells their senders apart. */
type Wires = ReadonlyMap<string, PlacedWire>

/** The wires into each input. Those that a node was born with have the places 0, 1, 2 … */
export function placeWires(
  born: Node['sources'],
  edits: readonly Edit<NodeFact>[],
  order: readonly string[],
): Map<string, Wires> {
  const inputs = new Map<string, Map<string, PlacedWire>>()
  for (const [input, senders] of Object.entries(born)) {
    inputs.set(
      input,
      new Map(senders.map((sender, place) => [formatSender(sender), { sender, order: place }])),
    )
  }
  for (const { ids, value } of inPortOrder(
    edits.filter(({ name }) => name === 'wire'),
    order,
  )) {
    const [input, nodeInstanceId, portInstanceId] = ids as [string, string, string]
    const sender = { nodeInstanceId, portInstanceId }
    const wires = inputs.get(input) ?? new Map<string, PlacedWire>()
    inputs.set(input, wires)
    if (value === null) wires.delete(formatSender(sender))
    else wires.set(formatSender(sender), { sender, order: value as number })
  }
  return inputs
}

/** By their places; of two at one place, the one that was born, then by their ends. */
export function listInPlaces(wires: Wires): PlacedWire[] {
  return [...wires.values()].sort((a, b) => a.order - b.order)
}

/** The wires into one input of a node, in order. */
export function listPlacedWires(id: string, facts: Facts, input: string): PlacedWire[] {
  const sources = findBorn(id, facts)?.sources ?? {}
  return listInPlaces(placeWires(sources, listEdits(NODE_FACTS, facts), []).get(input) ?? new Map())
}

export const isSameSender = (a: PortReference, b: PortReference) =>
  a.nodeInstanceId === b.nodeInstanceId && a.portInstanceId === b.portInstanceId

const formatSender = ({ nodeInstanceId, portInstanceId }: PortReference) =>
  formatFactKey('', nodeInstanceId, portInstanceId)
