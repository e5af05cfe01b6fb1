import type { DocumentId } from '@meadow/contract'
import type { Note } from '@meadow/grasshopper'

/** What became of one file. `path` is relative to the folder that is imported, with `/` between the names. */
export type ImportResult =
  /** `notes`: what of the file the document does not show, or shows in another way. */
  | {
      path: string
      outcome: 'created' | 'updated'
      documentId: DocumentId
      notes: readonly Note[]
      /** What people had edited was replaced. */
      replaced?: true
      /** The document that people have edited, which is no file's any more: the file has this one now. */
      besides?: DocumentId
    }
  /** The file has changed, and people have edited its document since it was imported: it stays as it is. */
  | { path: string; outcome: 'conflict'; documentId: DocumentId }
  /** The bytes are those of the last import. */
  | { path: string; outcome: 'unchanged'; documentId: DocumentId }
  /** `reason` completes "…: permission denied"; with `overQuota` the team has no room for it. A folder that cannot be opened fails as one. */
  | { path: string; outcome: 'failed'; reason: string; overQuota?: true }
  /** Left out on purpose. */
  | { path: string; outcome: 'skipped'; reason: string }
  /** A document whose file is no longer in the folder. It stays. */
  | { path: string; outcome: 'gone'; documentId: DocumentId }

export type Outcome = ImportResult['outcome']

/** What an import did, counted. */
export interface ImportSummary extends Record<Outcome, number> {
  /** Files that failed since the team may not store more; they are in `failed` too. */
  overQuota: number
  /** Files that are no definitions. */
  ignored: number
  foldersCreated: number
  notes: NoteCount[]
  /** True when it was told to stop before the end. */
  interrupted: boolean
  durationMs: number
}

/** How often a kind of note was made, and in how many files. */
export interface NoteCount {
  kind: Note['kind']
  count: number
  files: number
}
