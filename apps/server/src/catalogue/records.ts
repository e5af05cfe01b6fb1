import type {
  DocumentId,
  FolderId,
  GraphContent,
  Scope,
  TeamId,
  TokenEndReason,
  TokenId,
  UserId,
  Visibility,
} from '@meadow/contract'
import type { DocumentKey, FolderKey, TeamKey } from '../platform/database/tables.ts'

/** All times here are milliseconds since 1970. */
export interface TeamRecord {
  key: TeamKey
  id: TeamId
  name: string
  host: string | null
  credits: number
  createdAt: number
}

export interface NewTeam {
  name: string
  /** The host name of the team alone, in lower case, without a port. */
  host?: string | undefined
  /** Default: 0. */
  credits?: number | undefined
}

export interface FolderRecord {
  key: FolderKey
  id: FolderId
  name: string
}

export interface TokenRecord {
  id: TokenId
  name: string
  /** The first letters of the secret. */
  hint: string
  scopes: Scope[]
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  /** Why the server ended it at `revokedAt`; null when nobody or a person revoked it. */
  endReason: TokenEndReason | null
}

export interface NewToken {
  name: string
  /** What `createTokenSecret` made. Only its hash is stored. */
  secret: string
  scopes: readonly Scope[]
  expiresAt?: number | undefined
  /** Undefined: the operator. Must be a member who may make tokens. */
  createdBy?: UserId | undefined
}

/** What a document holds: the UTF-8 bytes of a `GraphContent` as JSON, or the blob that holds them, of `size` bytes. */
export type NewContent =
  | { kind: 'inline'; bytes: Uint8Array }
  | { kind: 'blob'; digest: string; size: number }

/** Contents above this go into the blob store; smaller ones are faster in the database. */
export const MAX_INLINE_BYTES = 100_000

/** The file that an imported document comes from. */
export interface DocumentSource {
  /** The folder of the team that was imported into. */
  root: FolderKey
  /** The folder on the operator's disk that was imported last. */
  from: string
  /** The file's path below it, with `/` between the names, the file's own name included. */
  path: string
  /** Hexadecimal. */
  sha256: string
  sizeBytes: number
  /** Null: too young to tell by it that a file is unchanged. */
  mtimeMs: number | null
  /** The digest of the blob that holds the file as it was. */
  blob: string
}

export interface NewDocument {
  folder: FolderKey
  name: string
  /** Default: `private`. */
  visibility?: Visibility | undefined
  createdAt: number
  updatedAt: number
  content: NewContent
  source?: DocumentSource | undefined
}

export interface ChangedDocument {
  updatedAt: number
  content: NewContent
  /** Reads that content, its large values apart, where people have the document open or had: see `readSmallContent`. */
  readContent: () => Promise<GraphContent>
  source: DocumentSource
}

/** A document that an earlier import made. */
export interface ImportedDocument {
  key: DocumentKey
  id: DocumentId
  name: string
  from: string
  path: string
  sha256: string
  sizeBytes: number
  mtimeMs: number | null
  /** The head of the log of edits. */
  seq: number
  /** What that was once the last import was in: where it is greater, people have edited the document since. */
  sourceSeq: number
}

/** A page of what was imported into `root` from the folder `from`, in the order of paths. */
export interface ImportedPage {
  from: string
  /** The last path of the page before. */
  after?: string | undefined
  limit: number
}
