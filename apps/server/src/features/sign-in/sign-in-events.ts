import type { SignInMethod } from '../../access/sessions.store.ts'
import { findUserByEmail, readEmailAddress } from '../../access/users.store.ts'
import { recordEvent } from '../../audit/record-event.ts'
import type { Database } from '../../platform/database/database.ts'

/** Records in the audit log that a sign-in failed. `email`: what was typed, which need not be an account's. */
export type RecordFailedSignIn = (by: SignInMethod, email?: string) => Promise<void>

export const createRecordFailedSignIn =
  (database: Database): RecordFailedSignIn =>
  (by, email) =>
    database.transaction(async (write) => {
      const user = isAddress(email) ? await findUserByEmail(write, email) : undefined
      const target = email === undefined ? undefined : { kind: 'user', id: user?.id, name: email }
      recordEvent(write, { action: 'sign_in.failed', target, details: { by } })
    })

/** PostgreSQL does not take every text. */
const isAddress = (text: string | undefined): text is string =>
  text !== undefined && readEmailAddress(text) !== undefined
