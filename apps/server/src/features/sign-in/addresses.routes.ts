import {
  changeEmail,
  confirmAddress,
  requestConfirmation,
  requestPasswordReset,
  resetPassword,
} from '@meadow/contract/web'
import { hashPassword } from '../../access/password-hashes.ts'
import { EmailTakenError, readEmailAddress } from '../../access/users.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { HttpError } from '../../http/http-error.ts'
import type { AddressStore } from './addresses.store.ts'
import { type AttemptRateLimit, mailKeys, secretKeys } from './attempt-rate-limit.ts'
import type { ReadMe } from './me.store.ts'

export interface AddressParts {
  store: AddressStore
  attempts: AttemptRateLimit
  readMe: ReadMe
  /** Whether mails are sent. */
  sendsMail: boolean
}

export const addressRoutes = ({ store, attempts, readMe, sendsMail }: AddressParts) => {
  /** Whether or not mails are sent, and to whom, is no secret; whether there is an account is. */
  const readRecipient = (text: string): string => {
    if (!sendsMail) throw new HttpError('mail_not_set_up')
    const email = readEmailAddress(text)
    if (email === undefined) throw new HttpError('email_not_acceptable')
    return email
  }
  const limitTries = <T>(ip: string, work: () => Promise<T>) =>
    attempts.run(secretKeys(ip), work, (error) => error instanceof HttpError && error.status === 410)

  return [
    serveApp(requestPasswordReset, async ({ body, ip }) => {
      const email = readRecipient(body.email)
      await attempts.count(mailKeys(ip, email))
      await store.requestReset(email)
    }),

    serveApp(resetPassword, ({ body, ip }) =>
      limitTries(ip, async () => {
        const link = await store.findReset(body.secret)
        if (!link) throw new HttpError('link_not_valid')
        const fault = await store.findPasswordFault(link, body.password)
        if (fault !== undefined) throw new HttpError('password_not_acceptable', { sentence: fault })
        const isSet = await store.resetPassword(link, body.secret, await hashPassword(body.password))
        if (!isSet) throw new HttpError('link_not_valid')
      }),
    ),

    serveApp(requestConfirmation, async ({ person, ip }) => {
      if (!sendsMail) throw new HttpError('mail_not_set_up')
      await attempts.count(mailKeys(ip, person.userId))
      await store.askForConfirmation(person.userId, person.email)
    }),

    serveApp(changeEmail, async ({ person, body, ip }) => {
      const email = readRecipient(body.email)
      await attempts.count(mailKeys(ip, person.userId))
      await store.askForConfirmation(person.userId, email)
    }),

    serveApp(confirmAddress, ({ person, body, ip, host }) =>
      limitTries(ip, async () => {
        const confirmed = await store.confirm(person, body.secret).catch((error) => {
          throw error instanceof EmailTakenError ? new HttpError('email_taken') : error
        })
        if (!confirmed) throw new HttpError('link_not_valid')
        return readMe({ ...person, ...confirmed }, host)
      }),
    ),
  ]
}
