import { randomBytes } from 'node:crypto'
import type { UserId } from '@meadow/contract'
import { findPasswordFault, PASSWORD_FAULTS } from '@meadow/passwords'
import { recordEvent } from '../audit/record-event.ts'
import { randomBase32 } from '../platform/base32.ts'
import type { Database, Select, Write } from '../platform/database/database.ts'
import { isStorable } from '../platform/public-ids.ts'
import { tellOfNewPassword } from './account-notices.ts'
import { hashPassword, isOutdatedHash, verifyPassword } from './password-hashes.ts'
import { createSessionToken } from './sessions.store.ts'
import { findUserByEmail, insertUser, type NewUser, type UserRecord } from './users.store.ts'

/** The provider of accounts that have a password. */
const CREDENTIAL = 'credential'

/** Generates a password of 80 random bits, in readable groups. */
export const createPassword = (): string => randomBase32(16).replace(/.{4}(?=.)/g, '$&-')

/** A user who signs in with a password. */
export interface NewAccount extends NewUser {
  /** The hash of the password, made by `hashPassword`. */
  passwordHash: string
}

/** Creates a user with a password. Throws an `EmailTakenError`. */
export async function createAccount(
  write: Write,
  { passwordHash, ...user }: NewAccount,
): Promise<UserRecord> {
  const made = await insertUser(write, user)
  await setPassword(write, made.id, passwordHash)
  return made
}

/** Sets or replaces the password of a user. */
export async function setPassword(write: Write, user: UserId, hash: string): Promise<void> {
  const now = new Date().toISOString()
  const { numUpdatedRows } = await write
    .updateTable('account')
    .set({ password: hash, updatedAt: now })
    .where('userId', '=', user)
    .where('providerId', '=', CREDENTIAL)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  await write
    .insertInto('account')
    .values({
      id: randomBytes(24).toString('base64url'),
      accountId: user,
      providerId: CREDENTIAL,
      userId: user,
      password: hash,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
}

export const hasPassword = async (read: Select, user: UserId): Promise<boolean> =>
  Boolean(await findHash(read, user))

/**
 * Finds the user with this address, in any case, and this password. Computes one hash, also for an unknown address and
 * for a user without a password (SIGN-52).
 */
export async function findUserByPassword(
  read: Select,
  { email, password }: { email: string; password: string },
): Promise<UserRecord | undefined> {
  const user = isStorable(email) ? await findUserByEmail(read, email) : undefined
  const hash = user && (await findHash(read, user.id))
  if (hash) return (await verifyPassword(hash, password)) ? user : undefined
  await hashPassword(password)
  return undefined
}

export async function isPasswordOf(read: Select, user: UserId, password: string): Promise<boolean> {
  const hash = await findHash(read, user)
  return Boolean(hash) && verifyPassword(hash!, password)
}

/**
 * Changes the password of a person who knows the current one, ends their other sessions, and gives this one another
 * token, in one transaction. Resolves with the token, or with undefined when `current` is not their password, so that
 * nothing is changed.
 */
export async function changePassword(
  database: Database,
  { userId, sessionId }: { userId: UserId; sessionId: string },
  { current, next }: { current: string; next: string },
): Promise<string | undefined> {
  const old = await findHash(database.read, userId)
  if (!old || !(await verifyPassword(old, current))) return undefined
  const hash = await hashPassword(next)
  return database.transaction(async (write) => {
    if (!(await replaceHash(write, userId, { old, hash }))) return undefined
    const token = createSessionToken()
    await write.updateTable('session').set({ token }).where('id', '=', sessionId).execute()
    await write.deleteFrom('session').where('userId', '=', userId).where('id', '!=', sessionId).execute()
    recordEvent(write, { action: 'password.changed' })
    await tellOfNewPassword(write, userId)
    return token
  })
}

/** Replaces the hash of a password that was right by one of today's strength, unless the hash already has it. */
export async function renewHash(database: Database, user: UserId, password: string): Promise<void> {
  const old = await findHash(database.read, user)
  if (!old || !isOutdatedHash(old)) return
  const hash = await hashPassword(password)
  await database.transaction((write) => replaceHash(write, user, { old, hash }))
}

async function findHash(read: Select, user: UserId): Promise<string | null | undefined> {
  const account = await read
    .selectFrom('account')
    .where('userId', '=', user)
    .where('providerId', '=', CREDENTIAL)
    .select('password')
    .executeTakeFirst()
  return account?.password
}

/** Replaces a hash. Resolves to false when the password was changed meanwhile. */
async function replaceHash(
  write: Write,
  user: UserId,
  { old, hash }: { old: string; hash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable('account')
    .set({ password: hash, updatedAt: new Date().toISOString() })
    .where('userId', '=', user)
    .where('providerId', '=', CREDENTIAL)
    .where('password', '=', old)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether the user may set a password by a link, which users who sign in only through a provider may not. */
export async function canResetPassword(read: Select, user: UserId): Promise<boolean> {
  const accounts = await read.selectFrom('account').where('userId', '=', user).select('providerId').execute()
  return accounts.length === 0 || accounts.some(({ providerId }) => providerId === CREDENTIAL)
}

/** Resolves with a sentence about why the user may not have this new password; undefined if they may. */
export async function findNewPasswordFault(
  read: Select,
  { userId, name, email }: { userId: UserId; name: string; email: string },
  password: string,
): Promise<string | undefined> {
  const teams = await read
    .selectFrom('membership')
    .innerJoin('team', 'team.id', 'membership.team_id')
    .where('membership.user_id', '=', userId)
    .select('team.name')
    .execute()
  const fault = await findPasswordFault(password, { name, email, teams: teams.map(({ name }) => name) })
  return fault && PASSWORD_FAULTS[fault]
}
