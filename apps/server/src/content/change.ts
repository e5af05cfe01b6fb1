import type { UserId } from '@meadow/contract'
import type { Reference } from '@meadow/document/live'
import type { DocumentKey, TeamKey } from '../platform/database/tables.ts'

/** Who edits: a user, in one of their sessions. */
export interface Editor {
  user: UserId
  /** The id of the session, not its token. */
  session: string
}

/** An edit of a document that is to be kept. */
export interface NewChange {
  document: DocumentKey
  team: TeamKey
  /** A Yjs update that was checked. */
  update: Uint8Array
  /** Undefined for the service itself, which needs neither a session nor a membership. */
  editor?: Editor | undefined
  /** The Yjs clients that the update brings, which are the editor's from now on. */
  newClients?: readonly number[]
  /** What the update refers to in the blob store. */
  values?: readonly Reference[]
}

/** A change that is safe on the disk. */
export interface KeptChange {
  /** Its place in the log of the document. */
  seq: number
}

/** A Yjs client of the change is another user's: it cannot be kept. */
export class ClientTakenError extends Error {}

/** The change refers to a value that is not the team's, or that is gone: it cannot be kept. */
export class ValueMissingError extends Error {}

/** The document is in the bin, or was deleted for ever. */
export class DocumentDeletedError extends Error {}

/** The editor's session has ended: they signed out, it expired, or an operator revoked it. */
export class SessionEndedError extends Error {}

/** The editor is no member of the document's team, or has a role that may not edit. */
export class EditForbiddenError extends Error {}
