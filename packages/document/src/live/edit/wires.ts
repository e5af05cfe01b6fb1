import type { PortReference } from '@meadow/contract'
import type * as Y from 'yjs'
import { formatFactKey } from '../facts/fact-key.ts'
import type { Facts } from '../layout.ts'
import { findBorn } from '../read/find-born.ts'
import { isSameSender, listPlacedWires } from '../read/placed-wires.ts'
import { LiveEditError } from './edit-error.ts'
import { getNodeOfPort } from './get-parts.ts'
import { makeEdit, type Plan } from './make-edit.ts'
import { findOrderBetween } from './order-between.ts'

/** A wire from an output to an input. */
export interface Wire {
  from: PortReference
  to: PortReference
}

/**
 * Lays a wire as the last of its input, or at a place among the others there. One that is there stays where it is.
 * Wires may close a cycle; the solver tells.
 */
export function connect(
  doc: Y.Doc,
  { from, to, at = Number.POSITIVE_INFINITY }: Wire & { at?: number },
  origin?: unknown,
): void {
  getNodeOfPort(doc, from, 'outputs')
  const { facts } = getNodeOfPort(doc, to, 'inputs')
  const wires = listPlacedWires(to.nodeInstanceId, facts, to.portInstanceId)
  if (wires.some(({ sender }) => isSameSender(sender, from))) return
  const place = Math.max(0, Math.min(at, wires.length))
  const order = findOrderBetween(wires[place - 1]?.order, wires[place]?.order)
  makeEdit(doc, origin, (plan) => {
    if (order !== undefined) placeWire(to, facts, from, order, plan)
    else {
      const senders = wires.map(({ sender }) => sender).toSpliced(place, 0, from)
      for (const [number, sender] of senders.entries()) placeWire(to, facts, sender, number, plan)
    }
  })
}

/** Takes a wire away. */
export function disconnect(doc: Y.Doc, { from, to }: Wire, origin?: unknown): void {
  const { node, facts } = getNodeOfPort(doc, to, 'inputs')
  if (!node.sources[to.portInstanceId]?.some((sender) => isSameSender(sender, from)))
    throw noSuchWire({ from, to })
  makeEdit(doc, origin, (plan) => cutWire(to, facts, from, plan))
}

/** Puts all wires of an input in another order. `senders` are the ports that they come from, each once. */
export function orderWires(
  doc: Y.Doc,
  to: PortReference,
  senders: readonly PortReference[],
  origin?: unknown,
): void {
  const { facts } = getNodeOfPort(doc, to, 'inputs')
  const wires = listPlacedWires(to.nodeInstanceId, facts, to.portInstanceId)
  const missing = wires.some(({ sender }) => !senders.some((other) => isSameSender(sender, other)))
  if (missing || wires.length !== senders.length) {
    throw new LiveEditError(
      'not_valid',
      `The new order of the wires into ${to.portInstanceId} has to have each of them once.`,
    )
  }
  if (senders.every((sender, at) => isSameSender(sender, wires[at]!.sender))) return
  makeEdit(doc, origin, (plan) => {
    for (const [order, sender] of senders.entries()) placeWire(to, facts, sender, order, plan)
  })
}

/** Notes that a wire goes. */
export function cutWire(
  to: PortReference,
  facts: Facts,
  sender: PortReference,
  { setNode, write }: Plan,
): void {
  const ids = [to.portInstanceId, sender.nodeInstanceId, sender.portInstanceId]
  const born = findBorn(to.nodeInstanceId, facts)?.sources[to.portInstanceId] ?? []
  // A wire that the node was born with stays in the text of its birth.
  if (born.some((one) => isSameSender(one, sender))) setNode(facts, 'wire', ids, null, 0)
  else write(() => facts.delete(formatFactKey('wire', ...ids)))
}

function placeWire(
  to: PortReference,
  facts: Facts,
  { nodeInstanceId, portInstanceId }: PortReference,
  order: number,
  { setNode }: Plan,
): void {
  setNode(facts, 'wire', [to.portInstanceId, nodeInstanceId, portInstanceId], order)
}

function noSuchWire({ from, to }: Wire): LiveEditError {
  return new LiveEditError(
    'not_found',
    `There is no wire from ${from.portInstanceId} to ${to.portInstanceId}.`,
  )
}
