import type { Port, PortFlag, PortReference } from '@meadow/contract'
import { uuidv4 } from 'lib0/random'
import type * as Y from 'yjs'
import { findNode } from '../projection/find-node.ts'
import { getRoots } from '../schema/layout.ts'
import type { NodePropertyName, OrderedPort } from '../schema/node-properties.ts'
import { findPin } from '../schema/pin-key.ts'
import { checkFree } from './checks.ts'
import { LiveEditError } from './edit-error.ts'
import { createMentions, getNode, getNodeOfPort } from './find-parts.ts'
import { makeEdit } from './make-edit.ts'
import { cutWire, findOrderBetween } from './wires.ts'

export interface NewPort {
  /** The id of the new port; random unless given. */
  id?: string
  side: 'input' | 'output'
  /** Names, type, access and flags. */
  port: Port
  /** Its index among the ports of its side; the last one unless given. */
  at?: number
}

/** The members to change. Null removes the expression, and draws wires as usual. */
export interface PortEdit {
  name?: string
  nickName?: string
  typeName?: string
  access?: Port['access']
  expression?: string | null
  wireDisplay?: NonNullable<Port['wireDisplay']> | null
  flags?: Partial<Record<PortFlag, boolean>>
  options?: Partial<Record<NonNullable<Port['options']>[number], boolean>>
}

/**
 * Changes a port, each property by itself, so concurrent edits of different properties are all kept. The nickname of a
 * parameter object is that of its port.
 */
export function editPort(doc: Y.Doc, port: PortReference, edit: PortEdit, origin?: unknown): void {
  const { node, properties } = getNodeOfPort(doc, port)
  const id = port.portInstanceId
  const now = node.ports[id]
  const { flags = {}, options = {}, ...single } = edit
  const isOn: ReadonlySet<string> = new Set([...(now?.flags ?? []), ...(now?.options ?? [])])
  makeEdit(doc, origin, ({ setNode }) => {
    for (const [name, value] of Object.entries(single)) {
      if (name === 'nickName' && id === node.instanceId) setNode(properties, name, [], value, node.nickName)
      else setNode(properties, `port.${name}` as NodePropertyName, [id], value, now?.[name as keyof Port])
    }
    for (const [flag, on] of Object.entries(flags))
      setNode(properties, 'port.flag', [id, flag], on, isOn.has(flag))
    for (const [option, on] of Object.entries(options)) {
      setNode(properties, 'port.option', [id, option], on, isOn.has(option))
    }
  })
}

/** Adds a port to a component; returns its id. */
export function addPort(
  doc: Y.Doc,
  nodeInstanceId: string,
  { id = uuidv4(), side, port, at }: NewPort,
  origin?: unknown,
): string {
  const { node, properties } = getNode(doc, nodeInstanceId)
  if (node.ports[nodeInstanceId]) {
    throw new LiveEditError(
      'not_valid',
      `The node ${nodeInstanceId} is one port itself and cannot have others.`,
    )
  }
  checkFree(doc, [id])
  const orders = Object.values(side === 'input' ? node.inputs : node.outputs).sort((a, b) => a - b)
  const index = Math.max(0, Math.min(at ?? orders.length, orders.length))
  // If no number is left between two ports, the new one shares an order with the next, and ids decide.
  const order = findOrderBetween(orders[index - 1], orders[index]) ?? orders[index]!
  const orderedPort: OrderedPort = { side, order, ...port }
  makeEdit(doc, origin, ({ setNode }) => setNode(properties, 'port', [id], orderedPort))
  return id
}

/** Removes a port with its wires on both sides, its values and its pins. */
export function removePort(doc: Y.Doc, port: PortReference, origin?: unknown): void {
  const { node, properties } = getNodeOfPort(doc, port)
  const id = port.portInstanceId
  if (id === node.instanceId) {
    throw new LiveEditError('not_valid', `The node ${id} is this port itself; remove the node.`)
  }
  const { nodes, pins } = getRoots(doc)
  const mentions = createMentions([id])
  makeEdit(doc, origin, (plan) => {
    for (const sender of node.sources[id] ?? []) cutWire(port, properties, sender, plan)
    for (const [receiver, others] of nodes) {
      if (!mentions(others)) continue
      for (const [input, wires] of Object.entries(findNode(receiver, others)?.sources ?? {})) {
        const wire = wires.find(({ portInstanceId }) => portInstanceId === id)
        if (wire) cutWire({ nodeInstanceId: receiver, portInstanceId: input }, others, wire, plan)
      }
    }
    if (Object.hasOwn(node.values, id)) plan.setNode(properties, 'value', [id], null, 0)
    for (const key of pins.keys()) {
      if (findPin(key)?.port.portInstanceId === id) plan.write(() => pins.delete(key))
    }
    plan.setNode(properties, 'port', [id], null, 0)
  })
}

/** `D1` → `D2`, `A` → `B`, `Branch {0;2}` → `Branch {0;3}`, `Values A` → `Values B`; other words get a number. */
export function nextName(name: string): string {
  const counted = /^(?<stem>.*?)(?<number>\d+)(?<end>\D*)$/.exec(name)?.groups
  if (counted) return `${counted.stem}${Number(counted.number) + 1}${counted.end}`
  const lettered = /^(?<stem>|.*[ (])(?<letter>[A-Ya-y])(?<end>\)?)$/.exec(name)?.groups
  if (lettered) return `${lettered.stem}${nextLetter(lettered.letter!)}${lettered.end}`
  return /\w/.test(name) ? `${name} 2` : name
}

const nextLetter = (letter: string) => String.fromCodePoint(letter.codePointAt(0)! + 1)
