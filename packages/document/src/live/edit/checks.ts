import type * as Y from 'yjs'
import { findNode } from '../projection/find-node.ts'
import { getRoots } from '../schema/layout.ts'
import { LIVE_LIMITS } from '../schema/limits.ts'
import { LiveEditError } from './edit-error.ts'
import { createMentions } from './find-parts.ts'

/** Checks that the ids are new to the document and distinct. Throws a `LiveEditError`. */
export function checkFree(doc: Y.Doc, ids: readonly string[]): void {
  const { nodes, groups } = getRoots(doc)
  const taken = new Set<string>()
  const mentions = createMentions(ids)
  for (const [id, properties] of nodes) {
    if (!mentions(properties)) continue
    for (const portId of Object.keys(findNode(id, properties)?.ports ?? {})) taken.add(portId)
  }
  for (const id of ids) {
    if (taken.has(id) || nodes.has(id) || groups.has(id)) {
      throw new LiveEditError('id_taken', `The document has the id ${id} already.`)
    }
    taken.add(id)
  }
}

/** Checks that nodes or groups with these texts can be added in one edit. Throws a `LiveEditError`. */
export function checkRoom(doc: Y.Doc, texts: readonly string[]): void {
  const { nodes, groups } = getRoots(doc)
  if (nodes.size + groups.size + texts.length > LIVE_LIMITS.nodes) {
    throw new LiveEditError('too_large', `A document can have ${LIVE_LIMITS.nodes} nodes and groups at most.`)
  }
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > LIVE_LIMITS.updateBytes / 2 || texts.some((text) => text.length > LIVE_LIMITS.propertyBytes)) {
    throw new LiveEditError('too_large', 'That is too large to be added at once; add it in smaller parts.')
  }
}
