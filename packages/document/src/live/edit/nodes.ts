import type { Node } from '@meadow/contract'
import type * as Y from 'yjs'
import { createFacts, formatNode } from '../create-live-document.ts'
import { getRoots } from '../layout.ts'
import { checkFree } from './check-free.ts'
import { checkRoom } from './check-room.ts'
import { LiveEditError } from './edit-error.ts'
import { forgetNodes } from './forget-nodes.ts'
import { getNode } from './get-parts.ts'
import { makeEdit, type Plan } from './make-edit.ts'

/**
 * Adds nodes with the ids that they have, which nothing else in the document may have. Their wires have to lead to
 * nodes of the document or to each other. For copies see `pasteNodes`, for nodes of the catalogue `createNode`.
 */
export function addNodes(doc: Y.Doc, nodes: readonly Node[], origin?: unknown): void {
  checkFree(
    doc,
    nodes.flatMap(({ instanceId, ports }) => [...new Set([instanceId, ...Object.keys(ports)])]),
  )
  checkSenders(doc, nodes)
  makeEdit(doc, origin, (plan) => insertNodes(doc, nodes, plan))
}

/** Notes nodes to be added, whose ids and wires are known to be right. */
export function insertNodes(doc: Y.Doc, nodes: readonly Node[], { write }: Plan): void {
  const roots = getRoots(doc)
  const texts = nodes.map((node) => formatNode(node.instanceId, node))
  checkRoom(doc, texts)
  for (const [at, { instanceId }] of nodes.entries()) {
    write(() => roots.nodes.set(instanceId, createFacts(texts[at]!)))
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

/** Removes nodes with their wires, and takes them out of groups and pins. */
export function removeNodes(doc: Y.Doc, ids: readonly string[], origin?: unknown): void {
  for (const id of ids) getNode(doc, id)
  const { nodes } = getRoots(doc)
  makeEdit(doc, origin, (plan) => {
    for (const id of ids) plan.write(() => nodes.delete(id))
    forgetNodes(doc, new Set(ids), plan)
  })
}

/** Puts nodes somewhere else on the canvas. To be called when they are dropped, not while they are dragged. */
export function moveNodes(
  doc: Y.Doc,
  positions: Readonly<Record<string, Node['position']>>,
  origin?: unknown,
): void {
  makeEdit(doc, origin, ({ setNode }) => {
    for (const [id, { x, y }] of Object.entries(positions)) {
      const { node, facts } = getNode(doc, id)
      setNode(facts, 'position', [], { x, y }, node.position)
    }
  })
}

/** Gives a node the name that the canvas shows. */
export function renameNode(doc: Y.Doc, id: string, nickName: string, origin?: unknown): void {
  const { node, facts } = getNode(doc, id)
  makeEdit(doc, origin, ({ setNode }) => setNode(facts, 'nickName', [], nickName, node.nickName))
}

/** Switches nodes on or off: one that is off computes nothing. */
export function setEnabled(doc: Y.Doc, ids: readonly string[], isEnabled: boolean, origin?: unknown): void {
  setStatus(doc, ids, 'isEnabled', isEnabled, origin)
}

/** Shows or hides what nodes give. */
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
      const { node, facts } = getNode(doc, id)
      setNode(facts, name, [], value, node.status[name])
    }
  })
}
