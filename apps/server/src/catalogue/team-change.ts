import type {
  BinItemId,
  DocumentId,
  FolderId,
  InvitationId,
  MemberRole,
  UserId,
  Visibility,
} from '@meadow/contract'
import type { BinKey, DocumentKey, FolderKey } from '../platform/database/tables.ts'
import type { DocumentSource } from '../team-writes/document-writes.ts'
import type { NewContent } from '../team-writes/store-content.ts'
import type { StoredParts, TeamLimits } from './quotas.ts'
import type {
  ChangedDocument,
  FolderRecord,
  ImportedDocument,
  NewDocument,
  NewToken,
  TokenRecord,
} from './records.ts'

/** What can be changed of a team, inside `changeTeam`. */
export interface TeamChange
  extends TokenChanges,
    MemberChanges,
    InvitationChanges,
    TeamFactChanges,
    FolderChanges,
    DocumentChanges,
    FilingChanges,
    BinChanges {
  /** More seconds of solver time to spend; returns how many there are now. */
  addCredits(count: number): Promise<number>
  /** As the catalogue's, and true until the change is done: nobody else changes the team meanwhile. */
  findImported(root: FolderKey, paths: readonly string[]): Promise<ImportedDocument[]>
}

export interface TokenChanges {
  createToken(token: NewToken): Promise<TokenRecord>
  /** False when the team has no such token. A token that was revoked before keeps its first time. */
  revokeToken(id: string): Promise<boolean>
}

export interface MemberChanges {
  /**
   * Makes the user a member, or gives a member another role. Only owners' invitations stay good, and only tokens whose
   * makers may make tokens (decision 38).
   */
  setMember(user: UserId, role: MemberRole): Promise<void>
  /** False when the user is no member. Their invitations that nobody accepted yet end, and so do their tokens. */
  removeMember(user: UserId): Promise<boolean>
  hasOwner(): Promise<boolean>
}

export interface TeamFactChanges {
  renameTeam(name: string): Promise<void>
  /** Null: none of its own. Throws a {@link HostTakenError}. */
  setHost(host: string | null): Promise<void>
  /** How much the team may store; what is left out stays. */
  setLimits(limits: Partial<TeamLimits>): Promise<void>
}

export interface InvitationChanges {
  createInvitation(invitation: NewInvitation): Promise<InvitationId>
  /** False when there is no such invitation. */
  withdrawInvitation(id: string): Promise<boolean>
}

export interface NewInvitation {
  role: MemberRole
  note: string
  /** What `createInvitationSecret` made. Only its hash is stored. */
  secret: string
  createdBy: UserId
  /** Milliseconds since 1970, as is `expiresAt`. */
  createdAt: number
  expiresAt: number
}

export interface FolderChanges {
  /** The folder of exactly this name directly inside `parent`, made when it is not there. */
  ensureFolder(parent: FolderKey, name: string): Promise<FolderRecord & { isNew: boolean }>
  /** A new folder inside `parent`, whatever others there are called. */
  createFolder(parent: FolderKey, name: string): Promise<FolderRecord>
  renameFolder(folder: FolderKey, name: string): Promise<void>
  /** Throws a {@link FilingError}. */
  moveFolder(folder: FolderKey, parent: FolderKey): Promise<void>
}

/** Where documents are, and what they are called. Their `updatedAt` stays: what they hold is the same. */
export interface FilingChanges {
  renameDocument(document: DocumentKey, name: string): Promise<void>
  moveDocument(document: DocumentKey, folder: FolderKey): Promise<void>
  setVisibility(document: DocumentKey, visibility: Visibility): Promise<void>
}

export interface BinChanges {
  /** Puts a folder into the bin, with all that is inside and not in the bin yet. Not the root. */
  binFolder(folder: FolderKey, by: UserId): Promise<BinItemId>
  binDocument(document: DocumentKey, by: UserId): Promise<BinItemId>
  /** Puts what was deleted back where it was, or into the root where that is gone. Throws a {@link FilingError}. */
  restore(item: BinKey): Promise<Restored>
}

export interface Restored {
  kind: 'folder' | 'document'
  id: FolderId | DocumentId
  /** Where it is now. */
  folder: FolderRecord & { parent: FolderKey | null }
  wentToRoot: boolean
}

export interface DocumentChanges {
  /** Throws a `QuotaError` when the team may not store that much. */
  createDocument(document: NewDocument): Promise<{ key: DocumentKey; id: DocumentId }>
  /**
   * New content for an imported document, which keeps its id, name, folder and visibility. Where people have edited
   * it, their edits make way; who has it open sees it change. Throws a `ReplaceError` when it cannot be edited then, or a `QuotaError`.
   */
  updateDocument(document: DocumentKey, change: ChangedDocument): Promise<void>
  /** Throws a `QuotaError` when there is no room for another document of that size. */
  checkQuota(document: StoredParts): Promise<void>
  /** Whether that is what is stored of the document, to the byte. */
  hasContent(document: DocumentKey, content: NewContent): Promise<boolean>
  /** The document is no file's any more, though it keeps what it was imported of. */
  releaseSource(document: DocumentKey): Promise<void>
  /** The file is the same but for where it was seen, and when. */
  refreshSource(document: DocumentKey, source: DocumentSource): Promise<void>
}
