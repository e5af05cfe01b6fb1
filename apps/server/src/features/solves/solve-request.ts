import type { DocumentId, SolutionId } from '@meadow/contract'
import type { SolveContent } from './solve-content.ts'
import type { Outcome } from './solve-record.ts'
import type { SolveLimits } from './solver.ts'

/** What a solver's process is given when it starts. */
export interface SolverSetup {
  /** The folder of the blob store. */
  blobsFolder: string
  limits: SolveLimits
}

/** What it is asked. */
export interface SolveRequest {
  documentId: DocumentId
  solutionId: SolutionId
  content: SolveContent
  /** The digest of the file that the document was imported from, which holds the insides of its clusters. */
  original?: string | undefined
}

export interface SolveAnswer {
  outcome: Outcome
}
