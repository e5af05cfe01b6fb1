import type { DocumentId, SolutionId } from '@meadow/contract'
import type { DocumentKey, SolveKey } from '../../platform/database/tables.ts'

/** The solution that an export is of, as the feature of solutions tells it. */
export interface Exportable {
  key: SolveKey
  id: SolutionId
  document: DocumentKey
  documentId: DocumentId
  /** Undefined when there is no geometry, or no file could be written of it. */
  model: StoredModel | undefined
}

/** A model file in the blob store, and what it is checked by. */
export interface StoredModel {
  /** The SHA-256 of its bytes. */
  digest: string
  bytes: number
  objects: number
}

/** What an export needs to know of a document and a solve of it. Times are milliseconds since 1970. */
export interface ExportFacts {
  name: string
  /** The head of the document's log. */
  seq: number
  updatedAt: number
  /** The blob of the file that it was imported from. */
  original: string | null
  solvedAt: number
  /** Why there is no model file although there is geometry. */
  modelFault: string | null
}
