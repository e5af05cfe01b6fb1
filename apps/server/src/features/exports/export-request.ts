import type { ArchiveVersion } from '@meadow/contract'
import type { StoredModel } from './exportable.ts'

/** What a process that makes files is given when it starts. */
export interface ExportSetup {
  /** The folder of the blob store. */
  blobsFolder: string
}

/** A file to make. */
export type ExportRequest = DefinitionRequest | ModelRequest

export interface DefinitionRequest {
  format: '.gh'
  id: string
  name: string
  /** ISO 8601, UTC. */
  updatedAt: string
  /** The UTF-8 bytes of a `GraphContent` as JSON. */
  content: Uint8Array
  /** The digest of the file that the document was imported from. */
  original: string | null
}

export interface ModelRequest {
  format: '.3dm'
  documentId: string
  archiveVersion: ArchiveVersion
  /** Undefined: of a solution without geometry. */
  model: StoredModel | undefined
  /** Milliseconds since 1970. */
  solvedAt: number
}

/** A file in the blob store. */
export interface MadeFile {
  digest: string
  bytes: number
  /** What of the document it does not hold, or not as it is: sentences. */
  warnings: string[]
}
