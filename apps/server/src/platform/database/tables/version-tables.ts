import type { UserId, VersionId } from '@meadow/contract'
import type { ChangeAuthorKind, VersionKind } from '@meadow/contract/web/terms'
import type { Generated } from 'kysely'
import type {
  DocumentKey,
  Key,
  Milliseconds,
  TeamKey,
  VersionBaseKey,
  VersionKey,
  VersionSourceKey,
} from './column-types.ts'

export interface VersionTables {
  document_version: DocumentVersionTable
  version_base: VersionBaseTable
  version_source: VersionSourceTable
  version_value: VersionValueTable
}

/** The author of a change; null for changes that were made before authors were recorded. */
export interface AuthorKindColumn {
  author_kind: Generated<ChangeAuthorKind | null>
}

/**
 * For how many days a team keeps all versions, then the last of each day, then the last of each week; null for ever.
 */
export interface VersionPolicyColumns {
  versions_all_days: Generated<number | null>
  versions_daily_days: Generated<number | null>
  versions_weekly_days: Generated<number | null>
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

/** A large value that the versions from `from_seq` to `to_seq` refer to. */
export interface VersionValueTable {
  document_id: DocumentKey
  digest: string
  from_seq: number
  to_seq: number | null
  bytes: number
  is_tree: 0 | 1
}
