import type { GraphContent, Group, Node } from '@meadow/contract'
import * as Y from 'yjs'
import { LiveEditError } from './edit/edit-error.ts'
import { formatPinKey, PINNED } from './facts/pin-key.ts'
import { BIRTH, type Facts, FIRST_CLIENT, getRoots } from './layout.ts'
import { isGroup } from './shapes/group-shape.ts'
import { isNode } from './shapes/node-shape.ts'

/**
 * A document's content as the update that begins its live document. The same content gives the same bytes, so that
 * two processes that begin it at once agree. Large values have to be in the blob store: see `putLargeValues`.
 * Throws a `LiveEditError` for content that is not of the contract's shapes; wires to nowhere are no mistake here.
 */
export function encodeLiveDocument(content: GraphContent): Uint8Array {
  const doc = new Y.Doc()
  doc.clientID = FIRST_CLIENT
  const roots = getRoots(doc)
  doc.transact(() => {
    for (const [id, node] of Object.entries(content.nodes)) {
      roots.nodes.set(id, createFacts(formatNode(id, node)))
    }
    for (const group of content.groups) roots.groups.set(group.id, createFacts(formatGroup(group)))
    for (const side of ['inputs', 'outputs'] as const) {
      for (const pin of content.configuration[side]) roots.pins.set(formatPinKey(side, pin), PINNED)
    }
  })
  const update = Y.encodeStateAsUpdate(doc)
  doc.destroy()
  return update
}

/** A live document that begins with a content, to edit by whoever calls this. Throws as `encodeLiveDocument` does. */
export function createLiveDocument(content: GraphContent): Y.Doc {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, encodeLiveDocument(content))
  return doc
}

/** The text that a node is born with. Throws a `LiveEditError` for what is no node. */
export function formatNode(id: string, node: Node): string {
  const text = JSON.stringify(node)
  if (node.instanceId === id && isNode(JSON.parse(text))) return text
  throw new LiveEditError('not_valid', `The node ${id} is not as nodes have to be.`)
}

/** The text that a group is born with. Throws a `LiveEditError` for what is no group. */
export function formatGroup(group: Group): string {
  if (isGroup(group)) return JSON.stringify(group)
  throw new LiveEditError('not_valid', `The group ${group.id} is not as groups have to be.`)
}

/** What is born with a text, to be put into a document. */
export const createFacts = (text: string): Facts => new Y.Map([[BIRTH, text]])
