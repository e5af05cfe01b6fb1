import type {
  BinItemId,
  DocumentId,
  FolderId,
  InvitationId,
  MemberRole,
  SolutionId,
  TeamFileId,
  TeamId,
  TokenEndReason,
  TokenId,
  Unit,
  UserId,
  Visibility,
} from '@meadow/contract'
import type { SolveCause } from '@meadow/contract/web/terms'
import type { ColumnType, Generated } from 'kysely'
import type { AuditTables } from './tables/audit-tables.ts'
import type { BackupRunTable } from './tables/backup-run-table.ts'
import type { BlobStoreTable } from './tables/blob-store-table.ts'
import type { ServiceClockTable } from './tables/clock-table.ts'
import type {
  BinKey,
  DocumentKey,
  ExportFileKey,
  FolderKey,
  Key,
  Leased,
  LinkKeyId,
  Milliseconds,
  SolveKey,
  TeamFileKey,
  TeamKey,
  TokenKey,
} from './tables/column-types.ts'
import type { CommentTables } from './tables/comment-tables.ts'
import type { FavouriteTable, RecentDocumentTable } from './tables/list-tables.ts'
import type { MailTable, OneTimeLinkTable } from './tables/mail-tables.ts'
import type { MembershipTable } from './tables/membership-table.ts'
import type { MirrorTables } from './tables/mirror-tables.ts'
import type { ProbeAnswerTable, ProbeTable } from './tables/probe-tables.ts'
import type { ProcessTable } from './tables/process-table.ts'
import type {
  RecoveryCodeTable,
  SecondFactorTable,
  SpentChallengeTable,
} from './tables/second-factor-tables.ts'
import type { ExclusiveTaskTable, RateWindowTable } from './tables/shared-tables.ts'
import type { TeamDeletionTable } from './tables/team-deletion-table.ts'
import type { DocumentThumbnailTable } from './tables/thumbnail-table.ts'
import type { TokenLifeColumns, TokenPolicyColumns } from './tables/token-columns.ts'
import type { TokenFolderTable } from './tables/token-folder-table.ts'
import type {
  DocumentGraphTable,
  DocumentUseTable,
  UsedThingTable,
  UsesReaderTable,
} from './tables/uses-tables.ts'
import type { AuthorKindColumn, VersionPolicyColumns, VersionTables } from './tables/version-tables.ts'
import type { ViewTables } from './tables/view-tables.ts'
import type { WebhookTables } from './tables/webhook-tables.ts'

export type * from './tables/column-types.ts'

export interface TeamTable extends TokenPolicyColumns, VersionPolicyColumns {
  id: Key<TeamKey>
  public_id: TeamId
  name: string
  /** The host name of this team only (decision 3): lower case, without a port. */
  host: string | null
  /** The credits that the team has left, in tenths of a credit (decision 44). */
  credit_tenths: number
  /** Raised with every change of the team's folders, documents, solves or tokens, in the same transaction. */
  version: Generated<number>
  created_at: Milliseconds
  /**
   * The latest `updated_at` that was given to a document: the next one is later, also when the clock was set back
   * (decision 43).
   */
  changed_at: Generated<Milliseconds>
  /** The number of documents, including those in the bin. Triggers update it, like `stored_bytes`. */
  document_count: Generated<number>
  /** The sum of its documents' `source_size` and `content_bytes`, and of its other files' `source_size`. */
  stored_bytes: Generated<number>
  /** The limits of documents and of stored bytes; null for no limit. */
  max_documents: Generated<number | null>
  max_bytes: Generated<number | null>
  /** What solves the nodes of the team's documents that Meadow cannot solve. */
  solver: Generated<TeamSolver>
  /** The unit of lengths in the team's definitions, which do not declare one. */
  units: Generated<Unit>
  /** 1 when members without a second factor see nothing of the team. */
  requires_second_factor: Generated<0 | 1>
  /** When the deletion of the team was requested; null when it was not. */
  deleted_at: Generated<Milliseconds | null>
  /** Whether documents of the team may be public. */
  public_documents: Generated<0 | 1>
  /** For how many days a document is public at most, and by default; null for no end. */
  public_days: Generated<number | null>
}

/** `compute`: a Rhino.Compute server solves the nodes that Meadow cannot. */
export type TeamSolver = 'meadow' | 'compute'

export interface FolderTable {
  id: Key<FolderKey>
  public_id: FolderId
  team_id: TeamKey
  /** The folder that this one is in; null for the root, of which a team has at most one. */
  parent_id: FolderKey | null
  name: string
  /** The keys from the root to this folder, itself included, each followed by a slash: `1/5/9/`. */
  path: string
  created_at: Milliseconds
  /** The item of the bin that contains this row; null when it is not in the bin. */
  bin_id: BinKey | null
  /** `nameOrder(name)`; empty for a name without one, null while it is not computed. */
  name_order: string
}

export interface DocumentTable {
  id: Key<DocumentKey>
  public_id: DocumentId
  team_id: TeamKey
  folder_id: FolderKey
  name: string
  /** `foldName(name)`, by which documents are searched. */
  name_folded: string
  /** `nameOrder(name)`; empty for a name without one, null while it is not computed. */
  name_order: string
  visibility: Visibility
  /** When a public document stops being public; null for no end. */
  public_until: Generated<Milliseconds | null>
  /** When the document was created here or, if it is older and was imported, when its file was created. */
  created_at: Milliseconds
  /**
   * Changes after `shown_seq` up to `shown_until` do not change a picture of the geometry; null when that is unknown.
   */
  shown_seq: Generated<number | null>
  shown_until: Generated<number | null>
  /** The account that made the document, or uploaded its file; null for the operator, or when it was not recorded. */
  created_by: UserId | null
  /** When the service took in the last change of its content or name. */
  updated_at: Milliseconds
  /** The head of the document's log of changes; a snapshot with this number is up to date. */
  seq: number
  /**
   * Where an imported document comes from: the folder that was imported into, the folder on the operator's disk,
   * and the file's path below it. With `source_root_id`, all columns of the source are set, except perhaps its time.
   */
  source_root_id: FolderKey | null
  source_from: string | null
  source_path: string | null
  source_sha256: string | null
  source_size: number | null
  /** The file's time when it was read; null when that was too recent to show that a file is unchanged. */
  source_mtime: Milliseconds | null
  /** The file's own times (decision 43). */
  source_created: Milliseconds | null
  source_modified: Milliseconds | null
  source_gone: Generated<GoneFile | null>
  /** The blob that holds the imported file, byte for byte. */
  source_blob: string | null
  /**
   * The view that the file was saved at, as JSON of a `SavedView`; null when it has none, or was not read at the
   * import.
   */
  source_view: string | null
  /** The digest of the document's row in `document_facts`; null when it has none. */
  source_facts: string | null
  /** How much of the file the content was read from (`Reading` of @meadow/grasshopper); null for the first reading. */
  source_reading: number | null
  /** The size of the last stored content as JSON with its large values; null for a blob that is not measured yet. */
  content_bytes: number
  /** `seq` after the last import; when `seq` is greater now, people have edited the document since. */
  source_seq: number | null
  /** The item of the bin that contains this row; null when it is not in the bin. */
  bin_id: BinKey | null
  /** The `seq` and the `source_blob` that `document_use` is made of; null for a document that was never read for it. */
  uses_seq: Generated<number | null>
  uses_source: Generated<string | null>
}

/**
 * The state of an imported file that is no longer in its folder. `told`: an import has reported it. `kept`: an import
 * has also put what belongs to the file into the bin, and somebody restored that. The column is null when the file was
 * there at the last import.
 */
export type GoneFile = 'told' | 'kept'

/** A file of the tree that is not a document (decision 42). */
export interface TeamFileTable {
  id: Key<TeamFileKey>
  public_id: TeamFileId
  team_id: TeamKey
  folder_id: FolderKey
  /** The name of the file, with its extension. */
  name: string
  /** The name, folded by `foldName`. */
  name_folded: string
  kind: TeamFileKind
  created_at: Milliseconds
  updated_at: Milliseconds
  /** The columns of the source are those of a document. */
  source_root_id: FolderKey | null
  source_from: string | null
  source_path: string | null
  source_sha256: string
  source_size: number
  source_mtime: Milliseconds | null
  source_created: Milliseconds | null
  source_modified: Milliseconds | null
  source_gone: Generated<GoneFile | null>
  /** The digest of the blob that holds the file, byte for byte. */
  blob: string
  /** What the file says about itself, as JSON of a `FileFacts` of at most 100 kB. */
  facts: string
  /** The digest of the blob of the file's picture, a PNG or JPEG. */
  thumbnail: string | null
  /** The item of the bin that contains this row; null when it is not in the bin. */
  bin_id: BinKey | null
}

/** A Rhino model, and the files of Grasshopper that define a component. */
export type TeamFileKind = 'model' | 'user_object' | 'cluster'

/** The objects of a model, by their ids in Rhino: UUIDs in lower case. */
export interface ModelObjectTable {
  object_id: string
  file_id: TeamFileKey
}

/** The Rhino objects that the values of a document refer to: UUIDs in lower case. */
export interface DocumentReferenceTable {
  document_id: DocumentKey
  object_id: string
}

/** What an imported file holds in addition to its graph. */
export interface DocumentFactsTable {
  document_id: DocumentKey
  /** The SHA-256 of `file` and the clusters, in hexadecimal. */
  digest: string
  /** JSON of a `DefinitionFacts`. */
  file: string
  /** The contents of the file's clusters, as the UTF-8 bytes of JSON; null when they are in the blob store. */
  clusters: Uint8Array | null
  clusters_blob: string | null
}

/** The content of a document as of `seq`, in one row for each format. Either `content` or `blob` is set. */
export interface DocumentSnapshotTable extends AuthorKindColumn {
  document_id: DocumentKey
  format: SnapshotFormat
  seq: number
  content: Uint8Array | null
  /** The digest of the blob that holds a content too large for a row. */
  blob: string | null
  /**
   * When the change `seq` was made; null when it was not recorded. Its author is recorded here if the log does not have
   * it.
   */
  at: Generated<Milliseconds | null>
  user_id: Generated<UserId | null>
}

/** `json`: the UTF-8 bytes of a `GraphContent`. `yjs`: the state that live editing starts from. */
export type SnapshotFormat = 'json' | 'yjs'

/** The changes since the snapshot and since the last version, without gaps from the older one on. */
export interface DocumentChangeTable extends AuthorKindColumn {
  document_id: DocumentKey
  seq: number
  change: Uint8Array
  at: Milliseconds
  /** The user that made the change, and their session; null for the service. */
  user_id: UserId | null
  session_id: string | null
}

/** The user that a Yjs client belongs to. If two users had the same client number, edits of both would be lost. */
export interface DocumentClientTable {
  document_id: DocumentKey
  client: number
  user_id: UserId
}

/** A large value of a live document, which is in the blob store. */
export interface DocumentValueTable {
  document_id: DocumentKey
  digest: string
  /** The length of the value's JSON text in bytes. */
  bytes: number
  /** 1 for a data tree; 0 for anything else that a node keeps. */
  is_tree: 0 | 1
  /** Since when the document does not refer to the value, as of the last compaction; null when it does. */
  unused_at: Milliseconds | null
}

/**
 * A person. The names in this table, `session` and `account` are those of better-auth, and times are of the database's
 * own type (PostgreSQL) or ISO text (SQLite). ISO text is valid for both (0015).
 */
export interface UserTable {
  id: UserId
  name: string
  /** The e-mail address in lower case. */
  email: string
  emailVerified: ColumnType<unknown, 0 | 1, 0 | 1>
  image: string | null
  /** 0 when the person gets no mail about comments that mention them. */
  mention_mails: Generated<0 | 1>
  createdAt: SignInTime
  updatedAt: SignInTime
}

/** A browser or agent that is signed in. */
export interface SessionTable {
  id: string
  expiresAt: SignInTime
  /** The token in the signed cookie. */
  token: string
  createdAt: SignInTime
  updatedAt: SignInTime
  ipAddress: string | null
  userAgent: string | null
  userId: UserId
  /** When the person last proved who they are after signing in; null when they have not. */
  provedAt: Milliseconds | null
  /** When a second factor was given in this session; null when none was. */
  factorAt: Milliseconds | null
}

/** A way in which a person signs in: with a password here, or through another service. */
export interface AccountTable {
  id: string
  /** The person's id at the service; with a password, the user's own id. */
  accountId: string
  /** The service; `credential` stands for a password. */
  providerId: string
  userId: UserId
  /** The hash of the password; null when the person signs in through the service. */
  password: string | null
  createdAt: SignInTime
  updatedAt: SignInTime
}

type SignInTime = ColumnType<string | Date, string, string>

export interface TokenTable extends TokenLifeColumns {
  id: Key<TokenKey>
  public_id: TokenId
  team_id: TeamKey
  name: string
  /** The first characters of the secret, to identify tokens in a list. */
  hint: string
  /** SHA-256 of the secret, which itself is not stored. */
  hash: Uint8Array
  /** The scopes of the token in the form of `writeScopes`. */
  scopes: string
  created_at: Milliseconds
  expires_at: Milliseconds | null
  revoked_at: Milliseconds | null
  /** The user that made the token; null for the operator, or when the account is deleted. */
  created_by: UserId | null
  /** Why the server revoked the token at `revoked_at`; null when it was not revoked, or was revoked by a person. */
  end_reason: TokenEndReason | null
  /** 1 when the token may read only the folders in `token_folder`. */
  is_limited: Generated<0 | 1>
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

export type SolveState = 'queued' | 'running' | 'failed' | 'solved'

/**
 * An item of the bin: a document, another file, or a folder with everything inside that was not deleted before. The
 * rows of all of it have the item's key in `bin_id`, and are unchanged otherwise.
 */
export interface BinItemTable {
  id: Key<BinKey>
  public_id: BinItemId
  team_id: TeamKey
  /** The deleted folder, document or file: one of the three columns is set. */
  folder_id: FolderKey | null
  document_id: DocumentKey | null
  file_id: Generated<TeamFileKey | null>
  /** 1 when an import put the item here because its file was gone. The item is restored when the file is back. */
  file_is_gone: Generated<0 | 1>
  /** 1 after the folder that the item was in was deleted permanently. The item has been below the root since then. */
  home_is_gone: Generated<0 | 1>
  deleted_at: Milliseconds
  deleted_by: UserId | null
}

/** A blob that may no longer be referenced. */
export interface DiscardedBlobTable {
  digest: string
  discarded_at: Milliseconds
}

/** The number of attempts of a kind that failed within the last quarter of an hour. */
export interface FailedAttemptTable {
  /** SHA-256 of the rate-limit key. */
  hash: Uint8Array
  count: number
  until: Milliseconds
}

/** An open invitation: it works once, and its row is deleted then. */
export interface InvitationTable {
  id: Key<number>
  public_id: InvitationId
  team_id: TeamKey
  role: MemberRole
  note: string
  /** SHA-256 of the secret, which itself is not stored. */
  hash: Uint8Array
  created_at: Milliseconds
  created_by: UserId
  expires_at: Milliseconds
  /** The address that the invitation was mailed to; nobody but its holder has seen the link then. */
  email: Generated<string | null>
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

/** The tables that are the same in both databases. */
export interface Tables
  extends AuditTables,
    CommentTables,
    MirrorTables,
    VersionTables,
    ViewTables,
    WebhookTables {
  team: TeamTable
  folder: FolderTable
  document: DocumentTable
  document_reference: DocumentReferenceTable
  team_file: TeamFileTable
  model_object: ModelObjectTable
  document_snapshot: DocumentSnapshotTable
  document_facts: DocumentFactsTable
  document_change: DocumentChangeTable
  document_client: DocumentClientTable
  document_value: DocumentValueTable
  document_thumbnail: DocumentThumbnailTable
  user: UserTable
  session: SessionTable
  account: AccountTable
  second_factor: SecondFactorTable
  recovery_code: RecoveryCodeTable
  spent_challenge: SpentChallengeTable
  membership: MembershipTable
  bin_item: BinItemTable
  discarded_blob: DiscardedBlobTable
  failed_attempt: FailedAttemptTable
  invitation: InvitationTable
  credit_entry: CreditEntryTable
  token: TokenTable
  token_folder: TokenFolderTable
  recent_document: RecentDocumentTable
  favourite: FavouriteTable
  solve: SolveTable
  export_file: ExportFileTable
  link_key: LinkKeyTable
  used_thing: UsedThingTable
  document_use: DocumentUseTable
  document_graph: DocumentGraphTable
  uses_reader: UsesReaderTable
  process: ProcessTable
  service_clock: ServiceClockTable
  blob_store: BlobStoreTable
  probe: ProbeTable
  probe_answer: ProbeAnswerTable
  exclusive_task: ExclusiveTaskTable
  rate_window: RateWindowTable
  backup_run: BackupRunTable
  team_deletion: TeamDeletionTable
  mail: MailTable
  one_time_link: OneTimeLinkTable
}
