import { randomBytes } from 'node:crypto'
import type { UserId } from '@meadow/contract'
import { OIDC_FAILURES } from '@meadow/contract/web'
import { sql } from 'kysely'
import {
  confirmAddressOf,
  EmailTakenError,
  findUserByEmail,
  insertUser,
  MAX_EMAIL_LENGTH,
} from '../../access/users.store.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import { cleanName } from '../../platform/database/names.ts'
import { isStorable } from '../../platform/public-ids.ts'
import { RefusedError } from './open-id-provider.ts'
import type { ProviderUser } from './provider-profile.ts'

/** The provider of accounts at the OpenID provider. */
const OIDC = 'oidc'

/** Any number, but the same in every process: with the person's id, what PostgreSQL locks while they get an account. */
const LOCK = 612_743_004

/**
 * The user of a person at the OpenID provider: the one that is linked to them; otherwise the one with their address, which
 * is linked if both sides have verified it; otherwise a new one if the provider has. Throws a {@link RefusedError}.
 */
export async function findOrCreateUser(
  database: Pick<Database, 'dialect' | 'transaction'>,
  person: ProviderUser,
): Promise<UserId> {
  const { sub, email } = person
  if (email === undefined || email === '')
    throw new RefusedError('email_not_found', 'The provider does not say the e-mail address of the person.')
  try {
    return await database.transaction(async (write) => {
      if (database.dialect === 'postgres')
        await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)}, hashtext(${sub}))`.execute(write)
      return (await findLinked(write, person)) ?? (await link(write, { ...person, email }))
    })
  } catch (error) {
    if (!(error instanceof EmailTakenError)) throw error
    throw new RefusedError('unable_to_create_user', 'The address has just been given to another user.')
  }
}

async function findLinked(
  write: Write,
  { sub, email, emailVerified }: ProviderUser,
): Promise<UserId | undefined> {
  const linked = await write
    .selectFrom('account')
    .innerJoin('user', 'user.id', 'account.userId')
    .where('providerId', '=', OIDC)
    .where('accountId', '=', sub)
    .select(['user.id', 'user.email'])
    .executeTakeFirst()
  if (linked && emailVerified && linked.email === email?.toLowerCase())
    await confirmAddressOf(write, linked.id)
  return linked?.id
}

async function link(
  write: Write,
  { sub, email, emailVerified, name }: ProviderUser & { email: string },
): Promise<UserId> {
  if (!isStorable(email) || email.length > MAX_EMAIL_LENGTH)
    throw new RefusedError('unable_to_create_user', 'What the provider says is no e-mail address.')
  const known = await findUserByEmail(write, email)
  // Otherwise whoever made an account with the address first would have one that its owner signs in to.
  if (known && !(emailVerified && known.isConfirmed))
    throw new RefusedError(OIDC_FAILURES.notLinked, 'Not both sides have verified the address of an account.')
  // An unverified address would be taken from its real owner.
  if (!emailVerified)
    throw new RefusedError(OIDC_FAILURES.notVerified, 'The provider has not verified the address.')
  const user = known ?? (await insertUser(write, { email, name: cleanName(name), isEmailVerified: true }))
  const now = new Date().toISOString()
  await write
    .insertInto('account')
    .values({
      id: randomBytes(24).toString('base64url'),
      accountId: sub,
      providerId: OIDC,
      userId: user.id,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  return user.id
}
