import type { Presence } from '@meadow/contract'

/** A person who has the document open, with their presence. */
export interface LivePerson extends Presence {
  /** Identifies their copy of the document: a person with two open copies occurs twice. */
  clientId: number
  isMe: boolean
}

/** The presence that a client sends; the server adds the name. */
export type OwnPresence = Omit<Presence, 'user'>
