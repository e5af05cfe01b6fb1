import type * as Y from 'yjs'
import type { Roots } from '../layout.ts'
import { listChanges } from '../list-changes.ts'

/** What changed since it was last taken; at first, everything. */
export interface Changes {
  /** The nodes that were added, changed or removed. */
  takeNodes(): ReadonlySet<string>
  /** Whether any nodes were added, replaced or removed. */
  takeOrder(): boolean
  takeGroups(): boolean
  takePins(): boolean
  close(): void
}

export function watchChanges(doc: Y.Doc, roots: Roots): Changes {
  let nodes = new Set(roots.nodes.keys())
  let hasOrder = true
  let hasGroups = true
  let hasPins = true
  const note = (transaction: Y.Transaction) => {
    for (const { root, id, fact } of listChanges(transaction)) {
      if (root === 'nodes') {
        nodes.add(id)
        hasOrder ||= fact === undefined
      } else if (root === 'groups') hasGroups = true
      else hasPins = true
    }
  }
  doc.on('afterTransaction', note)
  return {
    takeNodes() {
      const taken = nodes
      nodes = new Set()
      return taken
    },
    takeOrder() {
      const taken = hasOrder
      hasOrder = false
      return taken
    },
    takeGroups() {
      const taken = hasGroups
      hasGroups = false
      return taken
    },
    takePins() {
      const taken = hasPins
      hasPins = false
      return taken
    },
    close: () => doc.off('afterTransaction', note),
  }
}
