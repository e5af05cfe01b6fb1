import type { Port, PortFlag, PortReference } from '@meadow/contract'
import { uuidv4 } from 'lib0/random'
import type * as Y from 'yjs'
import type { NodeFact, PortAtPlace } from '../facts/node-facts.ts'
import { findPin } from '../facts/pin-key.ts'
import { getRoots } from '../layout.ts'
import { findNode } from '../read/find-node.ts'
import { checkFree } from './check-free.ts'
import { LiveEditError } from './edit-error.ts'
import { getNode, getNodeOfPort } from './get-parts.ts'
import { makeEdit } from './make-edit.ts'
import { createMentions } from './mentions.ts'
import { findOrderBetween } from './order-between.ts'
import { cutWire } from './wires.ts'

export interface NewPort {
  /** A random one unless given. */
  id?: string
  side: 'input' | 'output'
  /** What it is called, and how it treats its data. */
  port: Port
  /** Its place among the ports of its side; the last one unless given. */
  at?: number
}

/** What is named changes; an expression that is null is taken away. */
export interface PortEdit {
  name?: string
  nickName?: string
  typeName?: string
  access?: Port['access']
  expression?: string | null
  flags?: Partial<Record<PortFlag, boolean>>
  options?: Partial<Record<NonNullable<Port['options']>[number], boolean>>
}

/** Changes a port, each fact by itself: who grafts and who flattens at the same time both have their way. */
export function editPort(doc: Y.Doc, port: PortReference, edit: PortEdit, origin?: unknown): void {
  const { node, facts } = getNodeOfPort(doc, port)
  const id = port.portInstanceId
  const now = node.ports[id]
  const { flags = {}, options = {}, ...single } = edit
  const isOn: ReadonlySet<string> = new Set([...(now?.flags ?? []), ...(now?.options ?? [])])
  makeEdit(doc, origin, ({ setNode }) => {
    for (const [name, value] of Object.entries(single)) {
      setNode(facts, `port.${name}` as NodeFact, [id], value, now?.[name as keyof Port])
    }
    for (const [flag, on] of Object.entries(flags))
      setNode(facts, 'port.flag', [id, flag], on, isOn.has(flag))
    for (const [option, on] of Object.entries(options)) {
      setNode(facts, 'port.option', [id, option], on, isOn.has(option))
    }
  })
}

/** Gives a component one port more; gives its id. */
export function addPort(
  doc: Y.Doc,
  nodeInstanceId: string,
  { id = uuidv4(), side, port, at }: NewPort,
  origin?: unknown,
): string {
  const { node, facts } = getNode(doc, nodeInstanceId)
  if (node.ports[nodeInstanceId]) {
    throw new LiveEditError(
      'not_valid',
      `The node ${nodeInstanceId} is one port itself and cannot have others.`,
    )
  }
  checkFree(doc, [id])
  const orders = Object.values(side === 'input' ? node.inputs : node.outputs).sort((a, b) => a - b)
  const place = Math.max(0, Math.min(at ?? orders.length, orders.length))
  // Where no number is left between two ports, the new one shares a place, and ids decide.
  const order = findOrderBetween(orders[place - 1], orders[place]) ?? orders[place]!
  const placed: PortAtPlace = { side, order, ...port }
  makeEdit(doc, origin, ({ setNode }) => setNode(facts, 'port', [id], placed))
  return id
}

/** Takes a port away, with its wires on both sides, its values and its pins. */
export function removePort(doc: Y.Doc, port: PortReference, origin?: unknown): void {
  const { node, facts } = getNodeOfPort(doc, port)
  const id = port.portInstanceId
  if (id === node.instanceId) {
    throw new LiveEditError('not_valid', `The node ${id} is this port itself; remove the node.`)
  }
  const { nodes, pins } = getRoots(doc)
  const mentions = createMentions([id])
  makeEdit(doc, origin, (plan) => {
    for (const sender of node.sources[id] ?? []) cutWire(port, facts, sender, plan)
    for (const [receiver, others] of nodes) {
      if (!mentions(others)) continue
      for (const [input, wires] of Object.entries(findNode(receiver, others)?.sources ?? {})) {
        const wire = wires.find(({ portInstanceId }) => portInstanceId === id)
        if (wire) cutWire({ nodeInstanceId: receiver, portInstanceId: input }, others, wire, plan)
      }
    }
    if (Object.hasOwn(node.values, id)) plan.setNode(facts, 'value', [id], null, 0)
    for (const key of pins.keys()) {
      if (findPin(key)?.port.portInstanceId === id) plan.write(() => pins.delete(key))
    }
    plan.setNode(facts, 'port', [id], null, 0)
  })
}
