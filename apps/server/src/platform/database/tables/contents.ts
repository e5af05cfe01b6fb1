import type { CommentId, ThreadId, UserId, VersionId, ViewId } from '@meadow/contract'
import type { ChangeAuthorKind, VersionKind } from '@meadow/contract/web/terms'
import type { Generated } from 'kysely'
import type {
  CommentKey,
  DocumentKey,
  Key,
  Milliseconds,
  TeamKey,
  ThreadKey,
  VersionBaseKey,
  VersionKey,
  VersionSourceKey,
  ViewKey,
} from './column-types.ts'

/** The tables of `schema/contents.sql`. */
export interface ContentsTables {
  document_snapshot: DocumentSnapshotTable
  document_change: DocumentChangeTable
  document_client: DocumentClientTable
  document_value: DocumentValueTable
  discarded_blob: DiscardedBlobTable
  version_base: VersionBaseTable
  version_source: VersionSourceTable
  document_version: DocumentVersionTable
  version_value: VersionValueTable
  comment_thread: CommentThreadTable
  comment: CommentTable
  comment_mention: CommentMentionTable
  comment_read: CommentReadTable
  comment_revision: CommentRevisionTable
  named_view: NamedViewTable
  view_revision: ViewRevisionTable
}

/** The author of a change; null for changes that were made before authors were recorded. */
export interface AuthorKindColumn {
  author_kind: Generated<ChangeAuthorKind | null>
}

/** `json`: the UTF-8 bytes of a `GraphContent`. `yjs`: the state that live editing starts from. */
export type SnapshotFormat = 'json' | 'yjs'

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

/** A blob that may no longer be referenced. */
export interface DiscardedBlobTable {
  digest: string
  discarded_at: Milliseconds
}

/** The whole content of some version, as JSON: versions are stored as differences from it. */
export interface VersionBaseTable {
  id: Key<VersionBaseKey>
  document_id: DocumentKey
  /** The content, or the digest of its blob in `blob`: one of the two is set. */
  content: Uint8Array | null
  blob: string | null
  /** 1 for plain JSON in a blob that may be the content of the document; 0 for JSON compressed with zstd. */
  is_plain: 0 | 1
  /** The stored length in bytes; 0 for plain JSON, whose blob is the document's. */
  bytes: number
  /** The length of the shortest difference from the base, and the sum by which the others are longer. */
  least_delta: Generated<number>
  growth: Generated<number>
}

/**
 * An imported file of a document, with what it holds in addition to its graph, for the versions that were made of it.
 */
export interface VersionSourceTable {
  id: Key<VersionSourceKey>
  document_id: DocumentKey
  blob: string
  reading: number | null
  name: string
  created: Milliseconds | null
  modified: Milliseconds | null
  /** The digest as in `document.source_facts`; null, like `file` and the clusters, when there are no facts. */
  facts: string | null
  file: string | null
  /** The contents of the clusters, compressed with zstd. */
  clusters: Uint8Array | null
  clusters_blob: string | null
}

/** A document as it was at a position in its log, stored as a difference from a base. */
export interface DocumentVersionTable {
  id: Key<VersionKey>
  public_id: VersionId
  team_id: TeamKey
  document_id: DocumentKey
  seq: number
  /** The time of the change `seq`. */
  at: Milliseconds
  kind: VersionKind
  name: string | null
  named_by: UserId | null
  is_pinned: Generated<0 | 1>
  /** The authors since the previous version, as JSON of a list of `[kind, id or null, number of changes]`. */
  authors: string
  nodes: number
  wires: number
  /** `fingerprintWithFile` of the version's content, by which its solution is found. */
  fingerprint: string
  base_id: VersionBaseKey
  /** The difference, compressed with zstd with the base as dictionary; null when the content is that of the base. */
  delta: Uint8Array | null
  /** The length of the difference in bytes. */
  bytes: number
  /** The imported file that belongs to the version. */
  source_id: VersionSourceKey | null
}

/** A large value that the versions from `from_seq` to `to_seq` refer to. */
export interface VersionValueTable {
  document_id: DocumentKey
  digest: string
  from_seq: number
  to_seq: number | null
  bytes: number
  is_tree: 0 | 1
}

/** A thread of comments, at least one, about a document or a part of it. */
export interface CommentThreadTable {
  id: Key<ThreadKey>
  public_id: ThreadId
  team_id: TeamKey
  document_id: DocumentKey
  /** JSON of a `CommentAnchor`. */
  anchor: string
  created_at: Milliseconds
  /** When the thread was resolved; null while it is open. */
  resolved_at: Milliseconds | null
  /** The user that resolved the thread; null also when the account is deleted. */
  resolved_by: UserId | null
}

/** A comment. Later comments of a document have higher keys, since whoever writes one holds the lock of the team. */
export interface CommentTable {
  id: Key<CommentKey>
  public_id: CommentId
  document_id: DocumentKey
  thread_id: ThreadKey
  /** The author; null when the account is deleted. */
  author_id: UserId | null
  /** Plain text. Mentions are ids of users after an at sign. */
  text: string
  created_at: Milliseconds
  edited_at: Milliseconds | null
}

/** A member whom a comment mentions. */
export interface CommentMentionTable {
  comment_id: CommentKey
  user_id: UserId
}

/** What a user has read of a thread: all up to a comment, which may be gone. */
export interface CommentReadTable {
  thread_id: ThreadKey
  user_id: UserId
  seen: CommentKey
}

/** How often the comments of a document were changed. */
export interface CommentRevisionTable {
  document_id: DocumentKey
  revision: number
}

/** A named view of a document. Later views have higher keys. */
export interface NamedViewTable {
  id: Key<ViewKey>
  public_id: ViewId
  document_id: DocumentKey
  name: string
  /** JSON of a `ViewPlace`. */
  place: string
  /** When the view was deleted; null when it was not. The last ones that were deleted can be restored. */
  deleted_at: Milliseconds | null
}

/** How often the views of a document were changed. */
export interface ViewRevisionTable {
  document_id: DocumentKey
  revision: number
}
