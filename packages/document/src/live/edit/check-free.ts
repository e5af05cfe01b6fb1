import type * as Y from 'yjs'
import { getRoots } from '../layout.ts'
import { findNode } from '../read/find-node.ts'
import { LiveEditError } from './edit-error.ts'
import { createMentions } from './mentions.ts'

/** Makes sure that nothing in a document has any of the ids, and that each is there once. Throws a `LiveEditError`. */
export function checkFree(doc: Y.Doc, ids: readonly string[]): void {
  const { nodes, groups } = getRoots(doc)
  const taken = new Set<string>()
  const mentions = createMentions(ids)
  for (const [id, facts] of nodes) {
    if (!mentions(facts)) continue
    for (const portId of Object.keys(findNode(id, facts)?.ports ?? {})) taken.add(portId)
  }
  for (const id of ids) {
    if (taken.has(id) || nodes.has(id) || groups.has(id)) {
      throw new LiveEditError('id_taken', `The document has the id ${id} already.`)
    }
    taken.add(id)
  }
}
