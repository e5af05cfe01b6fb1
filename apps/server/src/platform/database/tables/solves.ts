import type { DocumentId, SolutionId, Unit } from '@meadow/contract'
import type { SolveCause } from '@meadow/contract/web/terms'
import type { Generated } from 'kysely'
import type {
  DocumentKey,
  ExportFileKey,
  Key,
  Leased,
  LinkKeyId,
  Milliseconds,
  SolveKey,
  TeamKey,
} from './column-types.ts'

/** The tables of `schema/solves.sql`. */
export interface SolvesTables {
  solve: SolveTable
  export_file: ExportFileTable
  link_key: LinkKeyTable
  credit_entry: CreditEntryTable
}

export type SolveState = 'queued' | 'running' | 'failed' | 'solved'

/**
 * A solve of a document, from the moment it is requested. The one with the highest key is the state of the document; a
 * document without a row has never been solved. At most one solve of a document is queued, and at most one is running.
 */
export interface SolveTable extends Leased {
  id: Key<SolveKey>
  /** The public id of the solution. */
  public_id: SolutionId
  document_id: DocumentKey
  team_id: TeamKey
  /** The document's `seq` at the request and, after the end, the `seq` of the content that was solved. */
  seq: number
  state: SolveState
  asked_at: Milliseconds
  /** How many solvers have begun the solve, without those that abandoned it. */
  attempts: Generated<number>
  started_at: Milliseconds | null
  /** When the document was solved, or the solve failed. */
  ended_at: Milliseconds | null
  /** When a newer solve made this one obsolete. Some time later its blobs are removed, and then its row. */
  superseded_at: Milliseconds | null
  /** How long the solver took, in real time. */
  duration_ms: number | null
  /** A sentence about why the solve failed. */
  reason: string | null
  /** What was charged, in tenths of a credit; while the solve runs, the most that can be charged. */
  credit_tenths: number | null
  /** What caused the solve; null if it was requested before this was recorded. */
  cause: SolveCause | null
  /** Digests of the whole body of the solution without geometry (decision 24), in both encodings. */
  values_gzip: string | null
  values_zstd: string | null
  /** The uncompressed length of the body without geometry. */
  values_bytes: number | null
  /** The digest of the model file; null when there is no geometry, or no file could be written of it. */
  model: string | null
  model_bytes: number | null
  model_objects: number | null
  /** A sentence about why there is geometry but no model file. */
  model_fault: Generated<string | null>
  /** The unit of lengths in the solution; null in solutions of earlier versions without geometry. */
  units: Unit | null
  /** Digests and lengths of the bodies with geometry and as BIM objects, after they were first requested. */
  geometry_gzip: string | null
  geometry_zstd: string | null
  geometry_bytes: number | null
  bimz_gzip: string | null
  bimz_zstd: string | null
  bimz_bytes: number | null
  /** The JSON of a `SolveCompleteness`; null before the end, and in solutions made before this was counted. */
  completeness: Generated<string | null>
  /** The digest of the JSON of a `SolutionSummary`, for the editor. */
  summary: string | null
  /** `fingerprintWithFile` of the content that was solved; null in solutions made before this was recorded. */
  fingerprint: Generated<string | null>
  /** Digests and length of the body that the editor draws. */
  scene_gzip: string | null
  scene_zstd: string | null
  scene_bytes: number | null
}

/** A file of an export, or the lease of a process that makes it. */
export interface ExportFileTable extends Leased {
  id: Key<ExportFileKey>
  /** The cache key: it differs whenever the bytes may. */
  made_of: string
  /** The document; null after it was deleted. */
  document_id: DocumentKey | null
  /** The document's `seq` that a definition was made from. The file is obsolete when the document has another. */
  seq: number | null
  /** The solve that a model was made from. The file is obsolete when the solve is. */
  solve_id: SolveKey | null
  /** The digest of the file; null until it is made. */
  digest: string | null
  bytes: number | null
  /** A JSON list of sentences about what the file could not hold. */
  warnings: string | null
  /** Until when links may lead to the file, and it is retained even when it is obsolete. */
  kept_until: Milliseconds
}

/** A key that links to exports are signed with. */
export interface LinkKeyTable {
  id: Key<LinkKeyId>
  secret: Uint8Array
  created_at: Milliseconds
  /** When the key was retired; null for the key that signs new links. */
  retired_at: Milliseconds | null
}

/** A change of a team's credits, with the details of the solve if there was one. */
export interface CreditEntryTable {
  id: Key<number>
  team_id: TeamKey
  at: Milliseconds
  /** The change in tenths of a credit, which is negative when they were spent. */
  credit_tenths: number
  solution_id: SolutionId | null
  state: 'solved' | 'failed' | null
  duration_ms: number | null
  document_id: DocumentId | null
  /** The name of the document at that time; empty when it was deleted permanently. */
  document_name: string | null
  /** What caused the solve; null for additions, and for solves that were requested before this was recorded. */
  cause: SolveCause | null
}

/** The columns of `solve` that refer to blobs. */
export const SOLVE_BLOB_COLUMNS = [
  'values_gzip',
  'values_zstd',
  'model',
  'geometry_gzip',
  'geometry_zstd',
  'bimz_gzip',
  'bimz_zstd',
  'summary',
  'scene_gzip',
  'scene_zstd',
] as const satisfies readonly (keyof SolveTable)[]
