import { setMember } from '../../access/members.ts'
import { hashPassword } from '../../access/password-hashes.ts'
import { createAccount, createPassword } from '../../access/passwords.ts'
import { EmailTakenError } from '../../access/users.store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { raiseVersion } from '../../team/raise-version.ts'

/** The credentials of the owner of the demo team. */
export interface DemoOwner {
  email: string
  /** A random password. Only its hash is stored, so that it is shown once, when the account is created. */
  password?: string
}

const EMAIL = 'owner@demo.example'
const NAME = 'Demo owner'

/** Creates the account that owns the demo team; without a password when it exists already. */
export async function createDemoOwner(database: Database, team: TeamKey): Promise<DemoOwner> {
  const known = await database.read
    .selectFrom('user')
    .where('email', '=', EMAIL)
    .select('id')
    .executeTakeFirst()
  if (known) return { email: EMAIL }
  const password = createPassword()
  const passwordHash = await hashPassword(password)
  try {
    await database.transaction(async (write) => {
      await raiseVersion(write, team)
      // No mail can be received at `.example`, so there is nothing to verify.
      const owner = { name: NAME, email: EMAIL, isEmailVerified: true, passwordHash }
      const { id } = await createAccount(write, owner)
      await setMember({ write, team }, id, 'owner')
    })
  } catch (error) {
    // Another process has created the account, and has shown its password.
    if (error instanceof EmailTakenError) return { email: EMAIL }
    throw error
  }
  return { email: EMAIL, password }
}
