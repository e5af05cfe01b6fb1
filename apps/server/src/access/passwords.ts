import { randomBytes } from 'node:crypto'
import type { UserId } from '@meadow/contract'
import { hashPassword } from 'better-auth/crypto'
import { randomBase32 } from '../platform/base32.ts'
import type { Select, Write } from '../platform/database/database.ts'
import { insertUser, type NewUser, type UserRecord } from './users.store.ts'

/** What better-auth calls the account that has a password. */
const CREDENTIAL = 'credential'

const MIN_LENGTH = 8

const MAX_LENGTH = 128

/** As better-auth takes them. */
export const isAcceptablePassword = (password: string): boolean =>
  password.length >= MIN_LENGTH && password.length <= MAX_LENGTH

/** A password that nobody chose: 80 random bits, in groups that can be read out. */
export const createPassword = (): string => randomBase32(16).replace(/.{4}(?=.)/g, '$&-')

/** Somebody who signs in with a password. */
export interface NewAccount extends NewUser {
  /** What `hashPassword` made. */
  passwordHash: string
}

/** Throws an `EmailTakenError`. */
export async function createAccount(
  write: Write,
  { passwordHash, ...user }: NewAccount,
): Promise<UserRecord> {
  const made = await insertUser(write, user)
  await setPassword(write, made.id, passwordHash)
  return made
}

/** Gives a person a password, or another one. */
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

export async function hasPassword(read: Select, user: UserId): Promise<boolean> {
  const account = await read
    .selectFrom('account')
    .where('userId', '=', user)
    .where('providerId', '=', CREDENTIAL)
    .where('password', 'is not', null)
    .select('id')
    .executeTakeFirst()
  return account !== undefined
}

/** The hash to store: half a tenth of a second of work, in a thread of its own; so not inside of a transaction. */
export { hashPassword }
