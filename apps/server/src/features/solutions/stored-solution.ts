import type { DocumentId, SolutionId } from '@meadow/contract'
import type { DocumentKey, SolveKey, TeamKey } from '../../platform/database/tables.ts'

/** A body in the blob store: the digests of its compressed forms, and its length in bytes before. */
export interface StoredForms {
  gzip: string
  zstd: string
  bytes: number
}

/** A model file in the blob store, and what it is checked by. */
export interface StoredModel {
  /** The SHA-256 of its bytes. */
  digest: string
  bytes: number
  objects: number
}

/** The bodies that are made when someone asks for them first. */
export type MadeForm = 'geometry' | 'bimz' | 'scene'

/** A solve that succeeded, and what it left. */
export interface StoredSolution extends Record<MadeForm, StoredForms | undefined> {
  key: SolveKey
  id: SolutionId
  document: DocumentKey
  documentId: DocumentId
  team: TeamKey
  /** The body without geometry. */
  values: StoredForms
  /** Undefined when there is no geometry. */
  model: StoredModel | undefined
  units: string
  /** The digest of a `SolutionSummary`; null for one from before there were any. */
  summary: string | null
  /** Milliseconds since 1970. */
  endedAt: number
  durationMs: number
  credits: number
}

/** How a document stands (contract, part 3). A solve that waits for its turn counts as running. */
export type SolveStanding = { document: DocumentKey } & (
  | { state: 'never' | 'running' }
  | { state: 'failed'; reason: string }
  | { state: 'solved'; solution: StoredSolution }
)
