import type { UserId } from '@meadow/contract'
import type { Key, Leased, Milliseconds } from './column-types.ts'

/**
 * The kind of a mail. A notice is stored as it will be read. Mails of the other kinds have a link with a secret: they
 * are written, and their secrets made, when they are sent, so that no secret is in the table.
 */
export type MailKind = 'notice' | 'confirm' | 'reset' | 'invitation'

/** The state of a mail; `dropped` means that there was nothing to say any more when it was its turn. */
export type MailState = 'waiting' | 'sent' | 'failed' | 'dropped'

/** A mail that is to be sent, or was sent or given up a few days ago. */
export interface MailTable extends Leased {
  id: Key<number>
  kind: MailKind
  recipient: string
  /** The id of the user or invitation that a link is for; null when the recipient is sufficient. */
  about: string | null
  /** The subject of a notice. */
  subject: string | null
  /** The paragraphs and the link of a notice as JSON; null when it is no longer needed. */
  body: string | null
  state: MailState
  created_at: Milliseconds
  /** When the mail is given up. */
  expires_at: Milliseconds
  /** When the mail may be tried next, by the clock of the database. */
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
  /** The address that the link was sent to; for `confirm`, it becomes the user's. */
  email: string
  expires_at: Milliseconds
}

export type OneTimeLinkPurpose = 'confirm' | 'reset'
