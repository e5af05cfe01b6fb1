import type { MessagePort } from 'node:worker_threads'
import type { DocumentId, SolutionId } from '@meadow/contract'
import type { SolveContent } from './solve-content.ts'
import type { Outcome } from './solve-record.ts'

/** What a solver's thread is given when it starts. */
export interface SolverSetup {
  /** The folder of the blob store. */
  blobsFolder: string
  /** Of the `SolvePlace` in which it tells where it is. */
  place: SharedArrayBuffer
  /** Of `receiveBodies`. */
  bodies: MessagePort
}

/** What it is asked. */
export interface SolveRequest {
  documentId: DocumentId
  solutionId: SolutionId
  content: SolveContent
  /** The digest of the file that the document was imported from, which holds the insides of its clusters. */
  original?: string | undefined
}

/** What it says: first that it is ready, then an answer to each request. */
export type SolverMessage = 'ready' | SolveAnswer

export interface SolveAnswer {
  outcome: Outcome
}
