import type { Presence } from '@meadow/contract'
import type { Doc } from 'yjs'
import type { Observed } from './observed.ts'

/** How the live connection and one's own history stand. */
export interface LiveStanding {
  isConnected: boolean
  canUndo: boolean
  canRedo: boolean
}

/** A document that is open to be edited, as the editor needs it. The same object for as long as it is open. */
export interface LiveSession {
  doc: Doc
  /** Marks the edits of this person. */
  origin: unknown
  /** False for viewers. */
  mayEdit: boolean
  standing: Observed<LiveStanding>
  /** The others who have it open, by connection. */
  others: Observed<ReadonlyMap<number, Presence>>
  undo(): void
  redo(): void
  show(presence: Omit<Presence, 'user'>): void
}
