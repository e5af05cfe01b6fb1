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
import type { DocumentSource } from '../team-writes/document-writes.ts'
import type { NewContent } from '../team-writes/store-content.ts'

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
