import type { UserId } from '@meadow/contract'
import { tellOfNewPassword } from '../../access/account-notices.ts'
import {
  endOneTimeLinks,
  findOneTimeLink,
  type OneTimeLink,
  RESET_MS,
  useOneTimeLink,
} from '../../access/one-time-links.ts'
import { findNewPasswordFault, setPassword } from '../../access/passwords.ts'
import type { Person } from '../../access/sessions.store.ts'
import { confirmAddressOf, EmailTakenError, findUserByEmail } from '../../access/users.store.ts'
import { recordEvent } from '../../audit/record-event.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import { askForConfirmation, queueLinkMail, queueNotice, quoteName } from '../../platform/mail/outbox.ts'

/** The statements about addresses and forgotten passwords. */
export interface AddressStore {
  /** Does the same for every address: whether it is that of a user is looked up when the mail would be sent. */
  requestReset(email: string): Promise<void>
  /** Finds what a link to set a password is good for; undefined when it does not work any more. */
  findReset(secret: string): Promise<OneTimeLink | undefined>
  /** Finds out why the user may not have the password: a sentence. */
  findPasswordFault(link: OneTimeLink, password: string): Promise<string | undefined>
  /** Sets the password and ends all sessions, once. False when the link does not work any more. */
  resetPassword(link: OneTimeLink, secret: string, hash: string): Promise<boolean>
  /** Asks the holder of an address to confirm it. */
  askForConfirmation(user: UserId, address: string): Promise<void>
  /**
   * Confirms the address that the link was sent to, or makes it the user's. False when the link does not work any more,
   * or is for another user. Throws an {@link EmailTakenError}.
   */
  confirm(person: Pick<Person, 'userId' | 'email'>, secret: string): Promise<{ email: string } | undefined>
}

export function createAddressStore(database: Database): AddressStore {
  return {
    requestReset: (email) =>
      database.transaction(async (write) => {
        await queueLinkMail(write, {
          kind: 'reset',
          to: email,
          about: null,
          expiresAt: timeOf(write) + RESET_MS,
        })
        recordEvent(write, { action: 'password.reset_asked', target: { kind: 'user', name: email } })
      }),
    findReset: (secret) => findOneTimeLink(database.read, 'reset', secret),
    async findPasswordFault({ user, email }, password) {
      const { read } = database
      const { name } = await read
        .selectFrom('user')
        .where('id', '=', user)
        .select('name')
        .executeTakeFirstOrThrow()
      return findNewPasswordFault(read, { userId: user, name, email }, password)
    },
    resetPassword: (link, secret, hash) =>
      database.transaction(async (write) => {
        const { user, email } = link
        if (!(await useOneTimeLink(write, link, secret))) return false
        await setPassword(write, user, hash)
        await write.deleteFrom('session').where('userId', '=', user).execute()
        const actor = { kind: 'user', id: user, name: email } as const
        recordEvent(write, { action: 'password.changed', actor, details: { by: 'link' } })
        recordEvent(write, { action: 'session.ended', actor })
        await tellOfNewPassword(write, user)
        return true
      }),
    askForConfirmation: (user, address) =>
      database.transaction((write) => askForConfirmation(write, user, address)),
    async confirm({ userId, email: old }, secret) {
      const link = await findOneTimeLink(database.read, 'confirm', secret)
      if (link?.user !== userId) return undefined
      return database.transaction(async (write) => {
        if (!(await useOneTimeLink(write, link, secret))) return undefined
        if (link.email !== old) await changeAddress(write, link, old)
        await confirmAddressOf(write, userId)
        return { email: link.email }
      })
    },
  }
}

async function changeAddress(write: Write, { user, email }: OneTimeLink, old: string): Promise<void> {
  if (await findUserByEmail(write, email)) throw new EmailTakenError(email)
  // The notice goes to the old address, while it is still the user's.
  await queueNotice(write, user, {
    subject: 'The address of your account was changed',
    paragraphs: [
      `Your Meadow account has the address ${quoteName(email)} now. Nothing more is sent to this one.`,
      'If this was not you, tell the operator of this service at once.',
    ],
  })
  await write.updateTable('user').set({ email }).where('id', '=', user).execute()
  await endOneTimeLinks(write, user, 'reset')
  recordEvent(write, {
    action: 'address.changed',
    target: { kind: 'user', id: user, name: email },
    details: { before: old },
  })
}
