import type { Presence } from '@meadow/contract'

/** Somebody who has the document open, and what they show of themselves. */
export interface LivePerson extends Presence {
  /** Of their copy of the document: somebody who has it open twice is there twice. */
  clientId: number
  isMe: boolean
}

/** What one shows of oneself; the server puts the name to it. */
export type OwnPresence = Omit<Presence, 'user'>
