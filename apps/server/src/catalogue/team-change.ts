import type { DocumentId } from '@meadow/contract'
import type { DocumentKey, FolderKey } from '../platform/database/tables.ts'
import type {
  ChangedDocument,
  DocumentSource,
  FolderRecord,
  ImportedDocument,
  NewDocument,
  NewToken,
  TokenRecord,
} from './records.ts'

/** What can be changed of a team, inside `changeTeam`. */
export interface TeamChange extends TokenChanges, FolderChanges, DocumentChanges {
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

export interface FolderChanges {
  /** The folder of exactly this name directly inside `parent`, made when it is not there. */
  ensureFolder(parent: FolderKey, name: string): Promise<FolderRecord>
}

export interface DocumentChanges {
  createDocument(document: NewDocument): Promise<{ key: DocumentKey; id: DocumentId }>
  /** New content for an imported document, which keeps its id, name, folder and visibility. */
  updateDocument(document: DocumentKey, change: ChangedDocument): Promise<void>
  /** The file is the same but for where it was seen, and when. */
  refreshSource(document: DocumentKey, source: DocumentSource): Promise<void>
}
