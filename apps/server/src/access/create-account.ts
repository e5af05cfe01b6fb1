import type { Write } from '../platform/database/database.ts'
import { setPassword } from './passwords.ts'
import { insertUser, type NewUser, type UserRecord } from './users.store.ts'

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
