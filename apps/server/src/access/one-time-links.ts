import type { UserId } from '@meadow/contract'
import { randomBase32 } from '../platform/base32.ts'
import type { Select, Write } from '../platform/database/database.ts'
import { lastsAt, timeOf } from '../platform/database/database-clock.ts'
import type { OneTimeLinkPurpose } from '../platform/database/tables.ts'
import { lengthOf } from '../platform/database/time-columns.ts'
import { hashToken } from './tokens.ts'

/** The pages that links lead to; the secret follows behind a `#`, which browsers do not send. */
export const LINK_PAGES = { confirm: '/confirm-address', reset: '/reset-password' } as const satisfies Record<
  OneTimeLinkPurpose,
  string
>

/** How long a link to set a password works. */
export const RESET_MS = 60 * 60 * 1000

/** How long a link to confirm an address works. */
const CONFIRM_MS = lengthOf('one_time_link.expires_at')

const LENGTH_MS: Record<OneTimeLinkPurpose, number> = { confirm: CONFIRM_MS, reset: RESET_MS }

/** What a link is good for. */
export interface OneTimeLink {
  purpose: OneTimeLinkPurpose
  user: UserId
  /** The address that holders of the link can read. */
  email: string
}

/** The length of 160 random bits, for which a fast hash is sufficient. */
const RANDOM_LENGTH = 32

const createSecret = (prefix: string) => `${prefix}${randomBase32(RANDOM_LENGTH)}`

/** Creates the secret of an invitation, whose prefix identifies its kind. */
export const createInvitationSecret = (): string => createSecret('mdi_')

/** Creates a link and returns its secret, of which only the hash is stored. */
export async function createOneTimeLink(
  write: Write,
  { purpose, user, email }: OneTimeLink,
  expiresAt: number,
): Promise<string> {
  const secret = createSecret('mdl_')
  await write
    .insertInto('one_time_link')
    .values({ hash: hashToken(secret), purpose, user_id: user, email, expires_at: expiresAt })
    .execute()
  return secret
}

/** Finds out what the link with this secret is good for; undefined when it does not work any more. */
export async function findOneTimeLink(
  read: Select,
  purpose: OneTimeLinkPurpose,
  secret: string,
): Promise<OneTimeLink | undefined> {
  return read
    .selectFrom('one_time_link')
    .where('hash', '=', hashToken(secret))
    .where('purpose', '=', purpose)
    .where(lastsAt('expires_at', LENGTH_MS[purpose], timeOf(read)))
    .select(['purpose', 'user_id as user', 'email'])
    .executeTakeFirst()
}

/** Uses up a link, and ends all others of the user for that purpose. Of concurrent calls, one returns true. */
export async function useOneTimeLink(write: Write, link: OneTimeLink, secret: string): Promise<boolean> {
  const { numDeletedRows } = await write
    .deleteFrom('one_time_link')
    .where('hash', '=', hashToken(secret))
    .where(lastsAt('expires_at', LENGTH_MS[link.purpose], timeOf(write)))
    .executeTakeFirst()
  await endOneTimeLinks(write, link.user, link.purpose)
  return numDeletedRows > 0n
}

export async function endOneTimeLinks(
  write: Write,
  user: UserId,
  purpose: OneTimeLinkPurpose,
): Promise<void> {
  await write.deleteFrom('one_time_link').where('user_id', '=', user).where('purpose', '=', purpose).execute()
}
