import type { PortReference } from '@meadow/contract'
import type * as Y from 'yjs'
import { findCreationRecord, isSameSender, listOrderedWires } from '../projection/wires.ts'
import type { PropertyMap } from '../schema/layout.ts'
import { formatPropertyKey } from '../schema/property-key.ts'
import { LiveEditError } from './edit-error.ts'
import { getNodeOfPort } from './find-parts.ts'
import { makeEdit, type Plan } from './make-edit.ts'

/** A wire from an output to an input. */
export interface Wire {
  from: PortReference
  to: PortReference
}

/**
 * Adds a wire as the last one of its input, or at an index among the wires there. An existing wire keeps its position.
 * Wires may close a cycle; the solver reports it.
 */
export function connect(
  doc: Y.Doc,
  { from, to, at = Number.POSITIVE_INFINITY }: Wire & { at?: number },
  origin?: unknown,
): void {
  getNodeOfPort(doc, from, 'outputs')
  const { properties } = getNodeOfPort(doc, to, 'inputs')
  const wires = listOrderedWires(to.nodeInstanceId, properties, to.portInstanceId)
  if (wires.some(({ sender }) => isSameSender(sender, from))) return
  const index = Math.max(0, Math.min(at, wires.length))
  const order = findOrderBetween(wires[index - 1]?.order, wires[index]?.order)
  makeEdit(doc, origin, (plan) => {
    if (order !== undefined) setWireOrder(to, properties, from, order, plan)
    else {
      const senders = wires.map(({ sender }) => sender).toSpliced(index, 0, from)
      for (const [number, sender] of senders.entries()) setWireOrder(to, properties, sender, number, plan)
    }
  })
}

/** Removes a wire. */
export function disconnect(doc: Y.Doc, { from, to }: Wire, origin?: unknown): void {
  const { node, properties } = getNodeOfPort(doc, to, 'inputs')
  if (!node.sources[to.portInstanceId]?.some((sender) => isSameSender(sender, from)))
    throw noSuchWire({ from, to })
  makeEdit(doc, origin, (plan) => cutWire(to, properties, from, plan))
}

/** Reorders all wires of an input. `senders` are the ports that they come from, each once. */
export function orderWires(
  doc: Y.Doc,
  to: PortReference,
  senders: readonly PortReference[],
  origin?: unknown,
): void {
  const { properties } = getNodeOfPort(doc, to, 'inputs')
  const wires = listOrderedWires(to.nodeInstanceId, properties, to.portInstanceId)
  const missing = wires.some(({ sender }) => !senders.some((other) => isSameSender(sender, other)))
  if (missing || wires.length !== senders.length) {
    throw new LiveEditError(
      'not_valid',
      `The new order of the wires into ${to.portInstanceId} has to have each of them once.`,
    )
  }
  if (senders.every((sender, at) => isSameSender(sender, wires[at]!.sender))) return
  makeEdit(doc, origin, (plan) => {
    for (const [order, sender] of senders.entries()) setWireOrder(to, properties, sender, order, plan)
  })
}

/** Plans the removal of a wire. */
export function cutWire(
  to: PortReference,
  properties: PropertyMap,
  sender: PortReference,
  { setNode, write }: Plan,
): void {
  const ids = [to.portInstanceId, sender.nodeInstanceId, sender.portInstanceId]
  const created = findCreationRecord(to.nodeInstanceId, properties)?.sources[to.portInstanceId] ?? []
  // A wire of the creation record can only be overridden: the record never changes.
  if (created.some((one) => isSameSender(one, sender))) setNode(properties, 'wire', ids, null, 0)
  else write(() => properties.delete(formatPropertyKey('wire', ...ids)))
}

/** Plans a wire at a position among the wires of its input. */
export function setWireOrder(
  to: PortReference,
  properties: PropertyMap,
  { nodeInstanceId, portInstanceId }: PortReference,
  order: number,
  { setNode }: Plan,
): void {
  setNode(properties, 'wire', [to.portInstanceId, nodeInstanceId, portInstanceId], order)
}

function noSuchWire({ from, to }: Wire): LiveEditError {
  return new LiveEditError(
    'not_found',
    `There is no wire from ${from.portInstanceId} to ${to.portInstanceId}.`,
  )
}

/** A number between two, either of which may be missing at an end; undefined if no number is left between them. */
export function findOrderBetween(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined) return after === undefined ? 0 : after - 1
  if (after === undefined) return before + 1
  const between = (before + after) / 2
  return between > before && between < after ? between : undefined
}
