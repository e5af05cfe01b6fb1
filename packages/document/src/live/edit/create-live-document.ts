import type { GraphContent, Group, Node } from '@meadow/contract'
import * as Y from 'yjs'
import { isGroup, isNode } from '../schema/graph-shapes.ts'
import { CREATION_RECORD, FIRST_CLIENT, getRoots, type PropertyMap } from '../schema/layout.ts'
import { formatPinKey, PINNED } from '../schema/pin-key.ts'
import { LiveEditError } from './edit-error.ts'

/**
 * Encodes content as the first update of its live document. The same content has the same bytes, so processes that
 * start the document concurrently agree. Large values have to be in the blob store already: see `putLargeValues`.
 * Throws a `LiveEditError` for content that does not match the contract. Wires without a sender are accepted.
 */
export function encodeLiveDocument(content: GraphContent): Uint8Array {
  const doc = new Y.Doc()
  doc.clientID = FIRST_CLIENT
  const roots = getRoots(doc)
  doc.transact(() => {
    for (const [id, node] of Object.entries(content.nodes)) {
      roots.nodes.set(id, createPropertyMap(formatNode(id, node)))
    }
    for (const group of content.groups) roots.groups.set(group.id, createPropertyMap(formatGroup(group)))
    for (const side of ['inputs', 'outputs'] as const) {
      for (const pin of content.configuration[side]) roots.pins.set(formatPinKey(side, pin), PINNED)
    }
  })
  const update = Y.encodeStateAsUpdate(doc)
  doc.destroy()
  return update
}

/** Creates a live document with a content. Throws as `encodeLiveDocument` does. */
export function createLiveDocument(content: GraphContent): Y.Doc {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, encodeLiveDocument(content))
  return doc
}

/** The creation record of a node. Throws a `LiveEditError` for an invalid node. */
export function formatNode(id: string, node: Node): string {
  const text = JSON.stringify(node)
  if (node.instanceId === id && isNode(JSON.parse(text))) return text
  throw new LiveEditError('not_valid', `The node ${id} is not as nodes have to be.`)
}

/** The creation record of a group. Throws a `LiveEditError` for an invalid group. */
export function formatGroup(group: Group): string {
  if (isGroup(group)) return JSON.stringify(group)
  throw new LiveEditError('not_valid', `The group ${group.id} is not as groups have to be.`)
}

/** A new node or group with its creation record, to be inserted into a document. */
export const createPropertyMap = (text: string): PropertyMap => new Y.Map([[CREATION_RECORD, text]])
