import type { Node, PortReference } from '@meadow/contract'
import { createRecord } from '../../graph/record.ts'
import { isNode } from '../schema/graph-shapes.ts'
import { CREATION_RECORD, type PropertyMap } from '../schema/layout.ts'
import { NODE_PROPERTIES, type NodePropertyName } from '../schema/node-properties.ts'
import { type Edit, listEdits } from '../schema/property.ts'
import { formatPropertyKey, parseJson } from '../schema/property-key.ts'

/** A wire into an input, with its position among the wires of that input. */
export interface OrderedWire {
  sender: PortReference
  order: number
}

/** The wires of an input, by a key of their sender. */
type Wires = ReadonlyMap<string, OrderedWire>

/** The sources of a node with the edits since: original inputs first, then the others in the order of the ports. */
export function applyWireEdits(
  created: Node['sources'],
  edits: readonly Edit<NodePropertyName>[],
  order: readonly string[],
): Node['sources'] {
  if (!edits.some(({ name }) => name === 'wire')) return created
  const inputs = [...applyWires(created, edits, order)].filter(([, wires]) => wires.size > 0)
  return createRecord(
    inputs.map(([input, wires]) => [input, sortWires(wires).map(({ sender }) => sender)] as const),
  )
}

/** The wires into one input of a node, in order. */
export function listOrderedWires(id: string, properties: PropertyMap, input: string): OrderedWire[] {
  const sources = findCreationRecord(id, properties)?.sources ?? {}
  return sortWires(applyWires(sources, listEdits(NODE_PROPERTIES, properties), []).get(input) ?? new Map())
}

/** The wires into each input. Those of the creation record have the positions 0, 1, 2 … */
function applyWires(
  created: Node['sources'],
  edits: readonly Edit<NodePropertyName>[],
  order: readonly string[],
): Map<string, Wires> {
  const inputs = new Map<string, Map<string, OrderedWire>>()
  for (const [input, senders] of Object.entries(created)) {
    inputs.set(input, new Map(senders.map((sender, order) => [formatSender(sender), { sender, order }])))
  }
  for (const { ids, value } of inPortOrder(
    edits.filter(({ name }) => name === 'wire'),
    order,
  )) {
    const [input, nodeInstanceId, portInstanceId] = ids as [string, string, string]
    const sender = { nodeInstanceId, portInstanceId }
    const wires = inputs.get(input) ?? new Map<string, OrderedWire>()
    inputs.set(input, wires)
    if (value === null) wires.delete(formatSender(sender))
    else wires.set(formatSender(sender), { sender, order: value as number })
  }
  return inputs
}

/**
 * Sorts wires by position. The sort is stable: of two at one position, original wires come first, then edited ones by
 * key.
 */
function sortWires(wires: Wires): OrderedWire[] {
  return [...wires.values()].sort((a, b) => a.order - b.order)
}

export const isSameSender = (a: PortReference, b: PortReference) =>
  a.nodeInstanceId === b.nodeInstanceId && a.portInstanceId === b.portInstanceId

const formatSender = ({ nodeInstanceId, portInstanceId }: PortReference) =>
  formatPropertyKey('', nodeInstanceId, portInstanceId)

/** Edits of ports (their first id) in the order of the ports; edits of missing ports come last. */
export function inPortOrder<Name extends string>(
  edits: readonly Edit<Name>[],
  order: readonly string[],
): Edit<Name>[] {
  const indices = new Map(order.map((id, index) => [id, index]))
  const indexOf = ({ ids }: Edit<Name>) => indices.get(ids[0]!) ?? order.length
  return edits.toSorted((a, b) => indexOf(a) - indexOf(b))
}

/** The creation record of a node; undefined if it is missing or invalid. */
export function findCreationRecord(id: string, properties: PropertyMap): Node | undefined {
  const created = parseJson(properties.get(CREATION_RECORD))
  return isNode(created) && (created as Node).instanceId === id ? (created as Node) : undefined
}
