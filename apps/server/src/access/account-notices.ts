import type { UserId } from '@meadow/contract'
import type { Select, Write } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { type Mail, queueNotice, quoteName } from '../platform/mail/outbox.ts'
import { isMembershipOpen } from './required-factors.ts'

const NOT_YOU = 'If this was not you, ask for a new password at once, and tell the operator of this service.'

const NEW_PASSWORD = { label: 'Ask for a new password', path: '/forgot-password' }

/** Tells a user that their password was changed, in the transaction that changes it. */
export const tellOfNewPassword = (write: Write, user: UserId): Promise<void> =>
  queueNotice(write, user, {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your Meadow account was changed. Other sessions of yours have ended.',
      NOT_YOU,
    ],
    link: NEW_PASSWORD,
  })

const FACTOR_NOTICES = {
  added: {
    subject: 'A second factor was added to your account',
    paragraphs: [
      'A second factor was added to your Meadow account. Signing in asks for one of yours.',
      NOT_YOU,
    ],
    link: NEW_PASSWORD,
  },
  removed: {
    subject: 'A second factor was removed from your account',
    paragraphs: [
      'A second factor was removed from your Meadow account. Without any other, signing in asks for none.',
      NOT_YOU,
    ],
    link: NEW_PASSWORD,
  },
  reset: {
    subject: 'The second factors of your account were removed',
    paragraphs: [
      'The operator of this service removed all second factors and recovery codes of your Meadow account, and ended your sessions. Signing in asks for none until you add one.',
      'If you did not ask for this, tell the operator at once.',
    ],
    link: { label: 'Open your account', path: '/account' },
  },
} as const satisfies Record<string, Omit<Mail, 'to'>>

/** Tells a user what was done to their second factors, in the transaction that does it. */
export const tellOfFactors = (
  write: Write,
  user: UserId,
  change: keyof typeof FACTOR_NOTICES,
): Promise<void> => queueNotice(write, user, FACTOR_NOTICES[change])

/** Tells a user that an API token was made in their name, in the transaction that makes it. */
export async function tellOfNewToken(
  write: Write,
  user: UserId,
  token: { name: string; team: TeamKey; expiresAt: number | null },
): Promise<void> {
  const team = await write
    .selectFrom('team')
    .where('id', '=', token.team)
    .select(['public_id as id', 'name'])
    .executeTakeFirstOrThrow()
  const end = token.expiresAt === null ? 'It has no end.' : `It ends on ${writeTime(token.expiresAt)}.`
  await queueNotice(write, user, {
    subject: 'An API token was made in your name',
    paragraphs: [
      `The API token ${quoteName(token.name)} of the team ${quoteName(team.name)} was made in your name. ${end}`,
      'If this was not you, revoke it, change your password, and tell the operator of this service.',
    ],
    link: { label: 'Look at the API tokens of the team', path: `/teams/${team.id}/settings/tokens` },
  })
}

/** Finds the owners of a team whom a notice reaches, since their addresses are confirmed. */
export async function findConfirmedOwners(read: Select, team: TeamKey): Promise<UserId[]> {
  const rows = await read
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .where('membership.team_id', '=', team)
    .where('membership.role', '=', 'owner')
    .where('user.emailVerified', '=', 1)
    .where(isMembershipOpen())
    .select('user.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Writes a time for people in any place, such as 2026-01-31 at 09:30 UTC. */
export const writeTime = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' at ')} UTC`
