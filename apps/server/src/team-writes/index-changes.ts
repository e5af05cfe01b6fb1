import type { IndexChange, IndexedDocument } from '../platform/database/search-index.ts'
import type { DocumentKey } from '../platform/database/tables.ts'

/** Collects what a transaction changes of the search index, so that it is written at once, at the end. */
export interface IndexChanges {
  add(document: IndexedDocument): void
  /** `before` is as the transaction found it, or left it so far. */
  replace(before: IndexedDocument, after: IndexedDocument): void
  /** `before` as above. */
  remove(before: IndexedDocument): void
  collected(): IndexChange
}

export function createIndexChanges(): IndexChanges {
  const before = new Map<DocumentKey, IndexedDocument>()
  const after = new Map<DocumentKey, IndexedDocument>()
  return {
    add: (document) => after.set(document.id, document),
    replace(old, document) {
      // The index holds what was there before the first of several changes.
      if (!after.has(document.id)) before.set(document.id, old)
      after.set(document.id, document)
    },
    remove(old) {
      if (!after.delete(old.id)) before.set(old.id, old)
    },
    collected: () => ({ remove: [...before.values()], add: [...after.values()] }),
  }
}
