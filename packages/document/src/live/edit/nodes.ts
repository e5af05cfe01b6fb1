import type { Node } from '@meadow/contract'
import type * as Y from 'yjs'
import { findGroup } from '../projection/find-group.ts'
import { findNode } from '../projection/find-node.ts'
import { getRoots } from '../schema/layout.ts'
import { findPin } from '../schema/pin-key.ts'
import { checkFree, checkRoom } from './checks.ts'
import { createPropertyMap, formatNode } from './create-live-document.ts'
import { LiveEditError } from './edit-error.ts'
import { createMentions, getNode } from './find-parts.ts'
import { makeEdit, type Plan } from './make-edit.ts'
import { cutWire } from './wires.ts'

/**
 * Adds nodes with their own ids, which have to be new to the document. Their wires have to come from nodes of the
 * document or from each other. For copies see `pasteNodes`, for new components `createNode`.
 */
export function addNodes(doc: Y.Doc, nodes: readonly Node[], origin?: unknown): void {
  checkFree(
    doc,
    nodes.flatMap(({ instanceId, ports }) => [...new Set([instanceId, ...Object.keys(ports)])]),
  )
  checkSenders(doc, nodes)
  makeEdit(doc, origin, (plan) => insertNodes(doc, nodes, plan))
}

/** Plans the insertion of nodes whose ids and wires are known to be valid. */
export function insertNodes(doc: Y.Doc, nodes: readonly Node[], { write }: Plan): void {
  const roots = getRoots(doc)
  const texts = nodes.map((node) => formatNode(node.instanceId, node))
  checkRoom(doc, texts)
  for (const [at, { instanceId }] of nodes.entries()) {
    write(() => roots.nodes.set(instanceId, createPropertyMap(texts[at]!)))
  }
}

function checkSenders(doc: Y.Doc, nodes: readonly Node[]): void {
  const senders = new Set([...getRoots(doc).nodes.keys(), ...nodes.map(({ instanceId }) => instanceId)])
  for (const { instanceId, sources } of nodes) {
    for (const { nodeInstanceId } of Object.values(sources).flat()) {
      if (senders.has(nodeInstanceId)) continue
      const what = `The node ${instanceId} has a wire from ${nodeInstanceId}, which is not there.`
      throw new LiveEditError('not_found', what)
    }
  }
}

/** Removes nodes with their wires, group memberships and pins. */
export function removeNodes(doc: Y.Doc, ids: readonly string[], origin?: unknown): void {
  for (const id of ids) getNode(doc, id)
  const { nodes } = getRoots(doc)
  makeEdit(doc, origin, (plan) => {
    for (const id of ids) plan.write(() => nodes.delete(id))
    removeReferences(doc, new Set(ids), plan)
  })
}

/** Moves nodes on the canvas. Call it when they are dropped, not while they are dragged. */
export function moveNodes(
  doc: Y.Doc,
  positions: Readonly<Record<string, Node['position']>>,
  origin?: unknown,
): void {
  makeEdit(doc, origin, ({ setNode }) => {
    for (const [id, { x, y }] of Object.entries(positions)) {
      const { node, properties } = getNode(doc, id)
      setNode(properties, 'position', [], { x, y }, node.position)
    }
  })
}

/** Moves nodes by an offset in canvas units, from where they are now: what a caller has read may be older. */
export function moveNodesBy(
  doc: Y.Doc,
  ids: readonly string[],
  { x, y }: Node['position'],
  origin?: unknown,
): void {
  const positions = ids.map((id) => {
    const { position } = getNode(doc, id).node
    return [id, { x: position.x + x, y: position.y + y }] as const
  })
  moveNodes(doc, Object.fromEntries(positions), origin)
}

/** Sets the name that the canvas shows for a node. */
export function renameNode(doc: Y.Doc, id: string, nickName: string, origin?: unknown): void {
  const { node, properties } = getNode(doc, id)
  makeEdit(doc, origin, ({ setNode }) => setNode(properties, 'nickName', [], nickName, node.nickName))
}

/** Enables or disables nodes: a disabled node is not solved. */
export function setEnabled(doc: Y.Doc, ids: readonly string[], isEnabled: boolean, origin?: unknown): void {
  setStatus(doc, ids, 'isEnabled', isEnabled, origin)
}

/** Shows or hides the output of nodes. */
export function setPreviewed(
  doc: Y.Doc,
  ids: readonly string[],
  isPreviewed: boolean,
  origin?: unknown,
): void {
  setStatus(doc, ids, 'isPreviewed', isPreviewed, origin)
}

function setStatus(
  doc: Y.Doc,
  ids: readonly string[],
  name: keyof Node['status'],
  value: boolean,
  origin: unknown,
): void {
  makeEdit(doc, origin, ({ setNode }) => {
    for (const id of ids) {
      const { node, properties } = getNode(doc, id)
      setNode(properties, name, [], value, node.status[name])
    }
  })
}

/** Plans the removal of the wires from removed nodes, of their group memberships and of their pins. */
export function removeReferences(doc: Y.Doc, removed: ReadonlySet<string>, plan: Plan): void {
  const { nodes, groups, pins } = getRoots(doc)
  const mentions = createMentions([...removed])
  for (const [id, properties] of nodes) {
    // Most nodes have no wire from a removed one, and parsing a node takes longer than a search in its text.
    if (removed.has(id) || !mentions(properties)) continue
    for (const [input, wires] of Object.entries(findNode(id, properties)?.sources ?? {})) {
      const to = { nodeInstanceId: id, portInstanceId: input }
      for (const wire of wires) if (removed.has(wire.nodeInstanceId)) cutWire(to, properties, wire, plan)
    }
  }
  for (const [id, properties] of groups) {
    for (const member of findGroup(id, properties)?.nodeInstanceIds ?? []) {
      if (removed.has(member)) plan.setGroup(properties, 'node', [member], false)
    }
  }
  for (const key of pins.keys()) {
    const pin = findPin(key)
    if (pin && removed.has(pin.port.nodeInstanceId)) plan.write(() => pins.delete(key))
  }
}
