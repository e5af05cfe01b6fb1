import type { UserId } from '@meadow/contract'
import { recordSignIn, type SignInMethod } from '../../access/sessions.store.ts'
import { findUserByEmail, readEmailAddress } from '../../access/users.store.ts'
import { recordEvent } from '../../audit/record-event.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AuthWatch } from './auth-dialect.ts'

/** What the audit log says of signing in: what better-auth does is recorded in the transaction of its statement. */
export interface SignInEvents {
  started(by: SignInMethod): AuthWatch
  readonly signedOut: AuthWatch
  /** `email`: what was typed, which need not be an account's. */
  failed(by: SignInMethod, email?: string): Promise<void>
}

export const createSignInEvents = (database: Database): SignInEvents => ({
  started: (by) => ({
    kind: 'InsertQueryNode',
    table: 'session',
    async record(write, rows) {
      for (const session of rows as { id: string; userId: UserId }[]) await recordSignIn(write, session, by)
    },
  }),
  signedOut: {
    kind: 'DeleteQueryNode',
    table: 'session',
    record: (write) => recordEvent(write, { action: 'sign_out' }),
  },
  failed: (by, email) =>
    database.transaction(async (write) => {
      const user = isAddress(email) ? await findUserByEmail(write, email) : undefined
      const thing = email === undefined ? undefined : { kind: 'user', id: user?.id, name: email }
      recordEvent(write, { action: 'sign_in.failed', thing, details: { by } })
    }),
})

/** PostgreSQL does not take every text. */
const isAddress = (text: string | undefined): text is string =>
  text !== undefined && readEmailAddress(text) !== undefined
