import type { UserId } from '@meadow/contract'
import type { Key, Leased, Milliseconds } from './column-types.ts'

/**
 * What a mail is. A notice is stored as it will be read. The others have a link with a secret: they are written, and
 * their secrets made, when they are sent, so that no secret is in the table.
 */
export type MailKind = 'notice' | 'confirm' | 'reset' | 'invitation'

/** `dropped`: when it was its turn, there was nothing to say any more. */
export type MailState = 'waiting' | 'sent' | 'failed' | 'dropped'

/** A mail that is to be sent, or was sent or given up a few days ago. */
export interface MailTable extends Leased {
  id: Key<number>
  kind: MailKind
  recipient: string
  /** Of mails with a link: the id of the user or invitation that it is for; null where the recipient says it all. */
  about: string | null
  /** Of notices. */
  subject: string | null
  /** Of notices: JSON of paragraphs and a link. Null when it is no longer needed. */
  body: string | null
  state: MailState
  created_at: Milliseconds
  /** After this, it is not sent any more. */
  expires_at: Milliseconds
  /** Not tried before this time, by the clock of the database. */
  next_at: Milliseconds
  attempts: number
  ended_at: Milliseconds | null
  /** Why the last attempt failed. */
  reason: string | null
}

/** A link that works once, for the holder of an address. */
export interface OneTimeLinkTable {
  /** SHA-256 of the secret, which itself is not stored. */
  hash: Uint8Array
  purpose: OneTimeLinkPurpose
  user_id: UserId
  /** The address that it was sent to: of `confirm`, the one that becomes the user's. */
  email: string
  expires_at: Milliseconds
}

export type OneTimeLinkPurpose = 'confirm' | 'reset'
