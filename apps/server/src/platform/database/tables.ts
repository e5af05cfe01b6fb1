import type { DocumentId, FolderId, SolutionId, TeamId, TokenId, Visibility } from '@meadow/contract'
import type { ColumnType, Generated } from 'kysely'

/** Integer keys are what tables join by. They never leave the process: the wire shows public ids. */
export type TeamKey = number & { readonly __brand: 'TeamKey' }
export type FolderKey = number & { readonly __brand: 'FolderKey' }
export type DocumentKey = number & { readonly __brand: 'DocumentKey' }
export type TokenKey = number & { readonly __brand: 'TokenKey' }
export type SolveKey = number & { readonly __brand: 'SolveKey' }

/** A key that the database hands out: read as its brand, never written. */
type Key<T> = ColumnType<T, never, never>

/** Points in time are integers: milliseconds since 1970, UTC. */
type Milliseconds = number

export interface TeamTable {
  id: Key<TeamKey>
  public_id: TeamId
  name: string
  /** The host name that is this team's alone (decision 3): lower case, without a port. */
  host: string | null
  credits: number
  /** Grows with every change of the team's tree, documents, solves or tokens, in the same transaction. */
  version: Generated<number>
  created_at: Milliseconds
}

export interface FolderTable {
  id: Key<FolderKey>
  public_id: FolderId
  team_id: TeamKey
  /** Null at the root, of which a team has one at most. */
  parent_id: FolderKey | null
  name: string
  /** The keys from the root to this folder, itself included, each followed by a slash: `1/5/9/`. */
  path: string
  created_at: Milliseconds
}

export interface DocumentTable {
  id: Key<DocumentKey>
  public_id: DocumentId
  team_id: TeamKey
  folder_id: FolderKey
  name: string
  /** `foldName(name)`, by which documents are searched. */
  name_folded: string
  visibility: Visibility
  created_at: Milliseconds
  updated_at: Milliseconds
  /** The head of the document's log of changes; a snapshot with this number is the document as it is now. */
  seq: number
  /**
   * Where an imported document comes from: the folder that was imported into, the folder on the operator's disk,
   * and the file's path below it. With `source_root_id`, all of the source is there but perhaps its time.
   */
  source_root_id: FolderKey | null
  source_from: string | null
  source_path: string | null
  source_sha256: string | null
  source_size: number | null
  source_mtime: Milliseconds | null
  /** The blob that holds the imported file, byte for byte. */
  source_blob: string | null
}

/** One row per document and format: its content as of `seq`. Either `content` or `blob` is there. */
export interface DocumentSnapshotTable {
  document_id: DocumentKey
  format: SnapshotFormat
  seq: number
  content: Uint8Array | null
  /** The digest of the blob that holds a content too large for a row. */
  blob: string | null
}

/** `json`: the UTF-8 bytes of a `GraphContent`. `yjs`: the state that live editing starts from. */
export type SnapshotFormat = 'json' | 'yjs'

/** What was edited since the snapshot, gapless from its `seq` on. */
export interface DocumentChangeTable {
  document_id: DocumentKey
  seq: number
  change: Uint8Array
  at: Milliseconds
}

export interface TokenTable {
  id: Key<TokenKey>
  public_id: TokenId
  team_id: TeamKey
  name: string
  /** The first letters of the secret, to tell tokens apart in a list. */
  hint: string
  /** SHA-256 of the secret, which itself is nowhere. */
  hash: Uint8Array
  /** The scopes' names, separated by spaces. */
  scopes: string
  created_at: Milliseconds
  expires_at: Milliseconds | null
  revoked_at: Milliseconds | null
}

/**
 * A solve of a document, from the moment it is asked for. The one with the highest key tells how the document stands;
 * a document without a row has never been solved. At most one of a document is queued, and at most one running.
 */
export interface SolveTable {
  id: Key<SolveKey>
  /** The id of its solution. */
  public_id: SolutionId
  document_id: DocumentKey
  team_id: TeamKey
  /** The document's `seq` when it was asked for; once it has ended, that of the content that was solved. */
  seq: number
  state: SolveState
  asked_at: Milliseconds
  /** The claim that may end it, new with every claim; null while it is queued. */
  claimed_by: string | null
  /** From here on anyone may take it over, unless the claim is renewed. */
  lease_until: Milliseconds | null
  /** How many solvers have begun it; those that gave it back are not counted. */
  attempts: Generated<number>
  started_at: Milliseconds | null
  /** When it was solved, or failed. */
  ended_at: Milliseconds | null
  /** Since when a newer one is asked for in its place; some time later its blobs are removed, and then its row. */
  superseded_at: Milliseconds | null
  /** Of the solver, as charged. */
  duration_ms: number | null
  /** Why it failed: a sentence. */
  reason: string | null
  /** What it was charged; while it runs, what it may cost at most. */
  credits: number | null
  /** Digests of the whole body of the solution without geometry (decision 24), in both encodings. */
  values_gzip: string | null
  values_zstd: string | null
  /** The length of that body before it was compressed. */
  values_bytes: number | null
  /** The digest of the model file; null when there is no geometry, or no file could be written of it. */
  model: string | null
  model_bytes: number | null
  model_objects: number | null
  units: string | null
  /** The same of the bodies with geometry and as BIM objects, once someone asked for them. */
  geometry_gzip: string | null
  geometry_zstd: string | null
  geometry_bytes: number | null
  bimz_gzip: string | null
  bimz_zstd: string | null
  bimz_bytes: number | null
}

export type SolveState = 'queued' | 'running' | 'failed' | 'solved'

/** The tables that are the same in both databases. */
export interface Tables {
  team: TeamTable
  folder: FolderTable
  document: DocumentTable
  document_snapshot: DocumentSnapshotTable
  document_change: DocumentChangeTable
  token: TokenTable
  solve: SolveTable
}
