import type { DocumentId } from '@meadow/contract'
import type { Write } from './database.ts'
import type { DocumentKey, FolderKey, TeamKey } from './tables.ts'

/** What the index knows of a document. All of it follows from the document's row and its folder's path. */
export interface IndexedDocument {
  id: DocumentKey
  publicId: DocumentId
  team: TeamKey
  /** The folders that the document is in, at any depth. */
  folders: readonly FolderKey[]
  /** `foldName` of the name. */
  nameFolded: string
  /** Milliseconds since 1970, from 0 to `MAX_TIME`. */
  updatedAt: number
}

/** What a transaction changes of the index: a document that moves, or is renamed, is in both lists. */
export interface IndexChange {
  /** Each exactly as it was added. */
  remove: readonly IndexedDocument[]
  add: readonly IndexedDocument[]
}

export interface IndexQuery {
  team: TeamKey
  /** Folded as the names are; empty: every document matches. */
  textFolded: string
  /** Only what is in this folder, at any depth. */
  folder?: FolderKey | undefined
  /** The most documents to answer with. */
  limit: number
}

/**
 * Finds documents by a part of their name without looking at all of them.
 * A document's row and its entry here change in the same transaction.
 */
export interface SearchIndex {
  /** Once in a transaction, after the rows are written: many documents at once cost less than each alone. */
  apply(write: Write, change: IndexChange): Promise<void>
  /** In the order of decision 18: names that start with the text, then the others; the newest first; ties by id. */
  find(query: IndexQuery): Promise<DocumentKey[]>
}
