import type { DocumentId, SolutionId } from '@meadow/contract'
import type { DocumentKey, SolveKey, SolveState, TeamKey } from '../../platform/database/tables.ts'

/** A solve as the operator's command shows it. Times are milliseconds since 1970. */
export interface SolveRecord {
  id: SolutionId
  documentId: DocumentId
  documentName: string
  state: SolveState
  askedAt: number
  startedAt: number | null
  endedAt: number | null
  durationMs: number | null
  reason: string | null
  /** What it was charged; while it runs, what it may cost at most. */
  credits: number | null
}

/** A document that can be solved. */
export interface SolvableDocument {
  key: DocumentKey
  id: DocumentId
  name: string
  team: TeamKey
}

/** A solve that was asked for, or what it was not for. */
export type Asked = { refusal: 'no_credits' } | { solves: AskedSolve[] }

export interface AskedSolve {
  id: SolutionId
  document: DocumentKey
}

/** A solve that nobody else may end while its lease lasts. */
export interface Claim {
  key: SolveKey
  id: SolutionId
  /** Tells this claim from all others of the same solve. */
  claimedBy: string
  team: TeamKey
  document: DocumentKey
  documentId: DocumentId
  /** What it may be charged at most. */
  maxCredits: number
  /** 1 for the first solver that begins it. */
  attempt: number
}

/** The blobs that a solve leaves. Lengths in bytes. */
export interface SolveFiles {
  valuesGzip: string
  valuesZstd: string
  /** Before it was compressed. */
  valuesBytes: number
  /** The JSON of a `SolutionSummary`, for the editor. */
  summary?: string | undefined
  /** Undefined when there is no geometry, or no file could be written of it. */
  model: ModelFile | undefined
  /** Why no file could be written of the geometry that there is. */
  modelFault?: string | undefined
}

export interface ModelFile {
  digest: string
  bytes: number
  objects: number
  units: string
}

/** How a solve ended. `durationMs` is what is charged. */
export type Outcome =
  | { state: 'solved'; seq: number; endedAt: number; durationMs: number; files: SolveFiles }
  | { state: 'failed'; durationMs: number; reason: string }
