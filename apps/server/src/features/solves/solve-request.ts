import type { DocumentId, SolutionId } from '@meadow/contract'
import type { SolveContent } from './solve-content.ts'
import type { Outcome } from './solve-record.ts'

/** What a solver's thread is given when it starts. */
export interface SolverSetup {
  /** The folder of the blob store. */
  blobsFolder: string
}

/** What it is asked. */
export interface SolveRequest {
  documentId: DocumentId
  solutionId: SolutionId
  content: SolveContent
}

/** What it says: first that it is ready, then an answer to each request. */
export type SolverMessage = 'ready' | SolveAnswer

export interface SolveAnswer {
  outcome: Outcome
  /** Why there is no model file although there is geometry. */
  fault?: string | undefined
}
