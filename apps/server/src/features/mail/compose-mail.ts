import type { UserId } from '@meadow/contract'
import {
  createInvitationSecret,
  createOneTimeLink,
  LINK_PAGES,
  RESET_MS,
} from '../../access/one-time-links.ts'
import { canResetPassword } from '../../access/passwords.ts'
import { hashToken } from '../../access/tokens.ts'
import { findUserByEmail } from '../../access/users.store.ts'
import type { Write } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import { type Mail, quoteName } from '../../platform/mail/outbox.ts'
import type { ClaimedMail } from './outbox.store.ts'
import type { WrittenMail } from './render-mail.ts'

const IGNORE = 'If you did not ask for this, do nothing.'

/**
 * Writes a mail when it is its turn, and makes the link that is in it; undefined when there is nothing to say any more.
 */
export function composeMail(
  write: Write,
  mail: ClaimedMail,
  baseUrl: string,
): Promise<WrittenMail | undefined> {
  return COMPOSERS[mail.kind](write, mail, baseUrl)
}

type Compose = (write: Write, mail: ClaimedMail, baseUrl: string) => Promise<WrittenMail | undefined>

const COMPOSERS: Record<ClaimedMail['kind'], Compose> = {
  notice: async (_write, mail, baseUrl) => readNotice(mail, baseUrl),
  confirm: askToConfirm,
  reset: offerReset,
  invitation: invite,
}

function readNotice({ subject, body }: ClaimedMail, baseUrl: string): WrittenMail | undefined {
  if (subject === null || body === null) return undefined
  const { paragraphs, link } = JSON.parse(body) as Pick<Mail, 'paragraphs' | 'link'>
  return { subject, paragraphs, link: link && { label: link.label, url: `${baseUrl}${link.path}` } }
}

/** Dropped when the address is confirmed meanwhile, or another account has it. */
async function askToConfirm(
  write: Write,
  { recipient, about, expiresAt }: ClaimedMail,
  baseUrl: string,
): Promise<WrittenMail | undefined> {
  const user = about as UserId
  const account = await write
    .selectFrom('user')
    .where('id', '=', user)
    .select(['name', 'email'])
    .executeTakeFirst()
  const holder = await findUserByEmail(write, recipient)
  if (!account || holder?.isConfirmed || (holder && holder.id !== user)) return undefined
  const secret = await createOneTimeLink(write, { purpose: 'confirm', user, email: recipient }, expiresAt)
  return {
    subject: 'Confirm your address',
    paragraphs: [
      `Somebody whose name is ${quoteName(account.name)} has entered this address for their Meadow account.`,
      'If that was you, sign in to the account and open this link. It works once, for three days.',
      IGNORE,
    ],
    link: { label: 'Confirm this address', url: `${baseUrl}${LINK_PAGES.confirm}#${secret}` },
  }
}

/** Dropped when no account with a confirmed address may get a password in this way. */
async function offerReset(
  write: Write,
  { recipient }: ClaimedMail,
  baseUrl: string,
): Promise<WrittenMail | undefined> {
  const user = await findUserByEmail(write, recipient)
  if (!user?.isConfirmed || !(await canResetPassword(write, user.id))) return undefined
  const link = { purpose: 'reset', user: user.id, email: recipient } as const
  const secret = await createOneTimeLink(write, link, timeOf(write) + RESET_MS)
  return {
    subject: 'Set a new password',
    paragraphs: [
      'Somebody has asked for a new password for your Meadow account. This link works once, for an hour.',
      `${IGNORE} Your password stays as it is.`,
    ],
    link: { label: 'Set a new password', url: `${baseUrl}${LINK_PAGES.reset}#${secret}` },
  }
}

/** Dropped when the invitation was withdrawn. */
async function invite(
  write: Write,
  { recipient, about }: ClaimedMail,
  baseUrl: string,
): Promise<WrittenMail | undefined> {
  const offer = await write
    .selectFrom('invitation')
    .innerJoin('team', 'team.id', 'invitation.team_id')
    .innerJoin('user', 'user.id', 'invitation.created_by')
    .where('invitation.public_id', '=', about as never)
    .where('invitation.email', '=', recipient)
    .select([
      'invitation.id',
      'invitation.role',
      'team.name as team',
      'user.name as by',
      'user.email as byEmail',
    ])
    .executeTakeFirst()
  if (!offer) return undefined
  const secret = createInvitationSecret()
  await write
    .updateTable('invitation')
    .set({ hash: hashToken(secret) })
    .where('id', '=', offer.id)
    .execute()
  return {
    subject: 'You are invited to a team',
    paragraphs: [
      `${quoteName(offer.by)} (${quoteName(offer.byEmail)}) invites you to the team ${quoteName(offer.team)} in Meadow, as ${offer.role}.`,
      'This link is for you alone, and works once. If you do not know who this is, do nothing.',
    ],
    link: { label: 'Look at the invitation', url: `${baseUrl}/invitation#${secret}` },
  }
}
