import type { UserId } from '@meadow/contract'
import type { Reference } from '@meadow/document/live'
import type { DocumentKey, TeamKey } from '../platform/database/tables.ts'

/** An edit of a document that is to be kept. */
export interface NewChange {
  document: DocumentKey
  team: TeamKey
  /** A Yjs update that was checked. */
  update: Uint8Array
  /** Who edits; undefined for the service itself. */
  user?: UserId | undefined
  /** The Yjs clients that the update brings, which are the user's from now on. */
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

/** There is no such document any more. */
export class DocumentGoneError extends Error {}
