import type * as Y from 'yjs'
import { getRoots } from '../layout.ts'
import { LIVE_LIMITS } from '../limits.ts'
import { LiveEditError } from './edit-error.ts'

/** Makes sure that nodes or groups with these texts can be added in one edit. Throws a `LiveEditError`. */
export function checkRoom(doc: Y.Doc, texts: readonly string[]): void {
  const { nodes, groups } = getRoots(doc)
  if (nodes.size + groups.size + texts.length > LIVE_LIMITS.nodes) {
    throw new LiveEditError('too_large', `A document can have ${LIVE_LIMITS.nodes} nodes and groups at most.`)
  }
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > LIVE_LIMITS.updateBytes / 2 || texts.some((text) => text.length > LIVE_LIMITS.factBytes)) {
    throw new LiveEditError('too_large', 'That is too large to be added at once; add it in smaller parts.')
  }
}
