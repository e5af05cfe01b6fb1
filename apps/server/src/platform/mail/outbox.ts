import type { UserId } from '@meadow/contract'
import type { Write } from '../database/database.ts'
import { timeOf } from '../database/database-clock.ts'
import type { MailKind } from '../database/tables.ts'
import { lengthOf } from '../database/time-columns.ts'
import { UNLEASED } from '../queue.ts'

/** A mail as plain text: it says what happened, and what to do if that was not meant to be. */
export interface Mail {
  /** The address of the recipient. */
  to: string
  subject: string
  paragraphs: readonly string[]
  link?: MailLink | undefined
}

export interface MailLink {
  label: string
  /** A page of the web app, such as `/account`. It must not contain a secret: see {@link queueLinkMail}. */
  path: string
}

const DAY_MS = 24 * 3600 * 1000

/** A notice that is not sent by then is dropped, since nobody would understand it. */
const NOTICE_MS = 3 * DAY_MS

/**
 * Queues a mail in the transaction of the change that it is about: it is sent if and only if that is committed, and
 * where a mail server is configured. Names that people chose are safe in every part of it.
 */
export async function queueMail(write: Write, { to, subject, paragraphs, link }: Mail): Promise<void> {
  const now = timeOf(write)
  const body = JSON.stringify({ paragraphs, link })
  await insert(write, { kind: 'notice', to, about: null, subject, body, now, expiresAt: now + NOTICE_MS })
}

/**
 * Queues a notice to a user about their account. Nothing is sent to an address that nobody confirmed: it may be that of
 * somebody else.
 */
export async function queueNotice(write: Write, user: UserId, notice: Omit<Mail, 'to'>): Promise<void> {
  const row = await write
    .selectFrom('user')
    .where('id', '=', user)
    .select(['email', 'emailVerified'])
    .executeTakeFirst()
  if (row?.emailVerified) await queueMail(write, { ...notice, to: row.email })
}

/** A mail with a link that has a secret. */
export interface LinkMail {
  kind: Exclude<MailKind, 'notice'>
  to: string
  /** The id of the user or invitation; null for `reset`, since nobody may notice whether there is a user. */
  about: string | null
  /** When the link stops working, in milliseconds since 1970. */
  expiresAt: number
}

/** Queues a mail with a link. It is written when it is sent, and dropped when the link would be of no use by then. */
export const queueLinkMail = (write: Write, mail: LinkMail): Promise<void> =>
  insert(write, { ...mail, subject: null, body: null, now: timeOf(write) })

/** How long a link that confirms an address works. */
const CONFIRM_MS = lengthOf('one_time_link.expires_at')

/** Queues the mail with which a user confirms an address: their own, or one that becomes theirs by it. */
export const askForConfirmation = (write: Write, user: UserId, address: string): Promise<void> =>
  queueLinkMail(write, { kind: 'confirm', to: address, about: user, expiresAt: timeOf(write) + CONFIRM_MS })

async function insert(
  write: Write,
  mail: {
    kind: MailKind
    to: string
    about: string | null
    subject: string | null
    body: string | null
    now: number
    expiresAt: number
  },
): Promise<void> {
  await write
    .insertInto('mail')
    .values({
      kind: mail.kind,
      recipient: mail.to,
      about: mail.about,
      subject: mail.subject,
      body: mail.body,
      state: 'waiting',
      created_at: mail.now,
      expires_at: mail.expiresAt,
      next_at: 0,
      attempts: 0,
      ended_at: null,
      reason: null,
      ...UNLEASED,
    })
    .execute()
}

const MAX_NAME_LENGTH = 60

/**
 * Returns a name that people chose, such as that of a team, for the text of a mail: in quotes, on one line, shortened,
 * and never a link. Otherwise an invitation could carry the message of somebody else.
 */
export const quoteName = (name: string): string => quoteText(name, MAX_NAME_LENGTH)

/** Quotes other text that people wrote, such as a comment, like `quoteName`, with at most `most` characters of it. */
export function quoteText(text: string, most: number): string {
  const letters = [...toOneLine(text)]
  const short = letters.length > most ? [...letters.slice(0, most), '…'] : letters
  // Programs turn what looks like an address into a link. An invisible character that joins words prevents that.
  return `"${short
    .join('')
    .replaceAll('"', "'")
    .replaceAll(/[.:/@]/g, '$&\u2060')}"`
}

/** Replaces control characters, and marks that change the direction of the text, by spaces. */
export const toOneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
