import type { UserId } from '@meadow/contract'
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
}

/** A change that is safe on the disk. */
export interface KeptChange {
  /** Its place in the log of the document. */
  seq: number
}

/** A Yjs client of the change is another user's: it cannot be kept. */
export class ClientTakenError extends Error {}

/** There is no such document any more. */
export class DocumentGoneError extends Error {}
