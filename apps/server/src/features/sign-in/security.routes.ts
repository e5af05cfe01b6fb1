import type { IncomingHttpHeaders } from 'node:http'
import type { UserId } from '@meadow/contract'
import {
  addAuthenticator,
  addPasskey,
  endOtherSessions,
  endSession,
  giveSecondFactor,
  readSecurity,
  removeSecondFactor,
  replaceRecoveryCodes,
  type SecondFactorProof,
  signInAgain,
  startAuthenticator,
  startPasskey,
  startPasskeyUse,
} from '@meadow/contract/web'
import type { Person, SessionStore } from '../../access/sessions.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { type AttemptRateLimit, codeKeys, signInKeys } from './attempt-rate-limit.ts'
import type { Codes } from './codes.ts'
import type { ReadMe } from './me.store.ts'
import type { Passkeys } from './passkeys.ts'
import type { SecondFactorStore } from './second-factors.store.ts'
import type { RecordFailedSignIn } from './sign-in-events.ts'

export interface SecurityParts {
  attempts: AttemptRateLimit
  readMe: ReadMe
  sessions: SessionStore
  factors: SecondFactorStore
  codes: Codes
  passkeys: Passkeys
  isPasswordOf(user: UserId, password: string): Promise<boolean>
  recordFailure: RecordFailedSignIn
  /** The origin under which clients reach the server, where it is configured. */
  ownOrigin: string | undefined
}

/** Second factors, fresh sign-ins, and the person's own sessions. */
export const securityRoutes = (parts: SecurityParts) => {
  const { attempts, sessions, factors, codes, passkeys, ownOrigin } = parts
  const isWrong = (error: unknown) =>
    error instanceof HttpError && (error.code === 'code_not_right' || error.code === 'passkey_not_right')

  /** Throws when the proof is wrong or was used; wrong ones are limited. */
  const useFactor = ({ userId }: Pick<Person, 'userId'>, proof: SecondFactorProof, ip: string) =>
    attempts.run(
      codeKeys(ip, userId),
      async () => {
        if ('code' in proof) {
          if (!(await factors.useCode(userId, proof.code))) throw new HttpError('code_not_right')
        } else {
          const use = await passkeys.finishUse(userId, proof.passkey, await factors.listPasskeys(userId))
          if (!(await factors.usePasskey(userId, use))) throw new HttpError('passkey_not_right')
        }
      },
      isWrong,
    )

  /** Throws when the password is wrong; wrong ones are limited. */
  async function checkPassword({ userId, email }: Person, password: string, ip: string) {
    const isRefusal = (error: unknown) => error instanceof HttpError && error.code === 'password_not_right'
    const check = async () => {
      if (!(await parts.isPasswordOf(userId, password))) throw new HttpError('password_not_right')
    }
    await attempts.run(signInKeys(ip, email), check, isRefusal).catch(async (error) => {
      if (isRefusal(error)) await parts.recordFailure('password', email)
      throw error
    })
  }

  return [
    serveApp(readSecurity, async ({ person }) => {
      const [list, own] = await Promise.all([
        factors.list(person.userId),
        sessions.listSessions(person.userId),
      ])
      return {
        ...list,
        sessions: own.map(({ id, userAgent, address, createdAt, usedAt, expiresAt }) => ({
          id,
          isThis: id === person.sessionId,
          userAgent,
          address,
          signedInAt: toTimestamp(createdAt),
          lastUsedAt: toTimestamp(usedAt),
          expiresAt: toTimestamp(expiresAt),
        })),
      }
    }),

    serveApp(startAuthenticator, async ({ person }) => {
      if ((await factors.listKinds(person.userId)).codes) throw new HttpError('authenticator_exists')
      return codes.enrol(person)
    }),

    serveApp(addAuthenticator, async ({ person, body, ip }) => {
      const { userId } = person
      const secret = codes.readEnrolment(userId, body.enrolment)
      if (secret === undefined) throw new HttpError('enrolment_not_valid')
      const step = await attempts.run(
        codeKeys(ip, userId),
        async () => {
          const found = await codes.findStep(userId, secret, body.code.replace(/[\s-]/g, ''))
          if (found === undefined) throw new HttpError('code_not_right')
          return found
        },
        isWrong,
      )
      const added = await factors.add(person, {
        kind: 'totp',
        name: 'Authenticator app',
        secret,
        last_step: step,
      })
      if (!added) throw new HttpError('authenticator_exists')
      return added
    }),

    serveApp(startPasskey, async ({ person, headers }) =>
      passkeys.startAdding(person, readOrigin(headers, ownOrigin), await factors.listPasskeys(person.userId)),
    ),

    serveApp(addPasskey, async ({ person, body }) => {
      const name = readNameInput(body.name)
      const made = await passkeys.finishAdding(person.userId, body.passkey)
      if (!made) throw new HttpError('passkey_not_right')
      const added = await factors.add(person, { ...made.passkey, name }, made.challenge)
      if (!added) throw new HttpError('passkey_exists')
      return added
    }),

    serveApp(startPasskeyUse, async ({ person, headers }) => {
      const origin = readOrigin(headers, ownOrigin)
      const user = person ?? (await sessions.findAwaiting(headers.cookie))
      if (!user) throw new HttpError('not_signed_in')
      const started = await passkeys.startUse(user.userId, origin, await factors.listPasskeys(user.userId))
      if (!started) throw new HttpError('passkey_not_here')
      return started
    }),

    serveApp(removeSecondFactor, async ({ person, params }) => {
      if (!(await factors.remove(person.userId, params.factorId)))
        throw new HttpError('second_factor_not_found')
    }),

    serveApp(replaceRecoveryCodes, async ({ person }) => {
      const recoveryCodes = await factors.replaceRecoveryCodes(person.userId)
      if (!recoveryCodes) throw new HttpError('second_factor_not_found')
      return { recoveryCodes }
    }),

    serveApp(giveSecondFactor, async ({ body, headers, host, ip }) => {
      const awaiting = await sessions.findAwaiting(headers.cookie)
      if (!awaiting) throw new HttpError('not_signed_in')
      await useFactor(awaiting, body, ip)
      await sessions.recordFactor(awaiting.sessionId)
      return parts.readMe(awaiting, host)
    }),

    serveApp(signInAgain, async ({ person, body, ip }) => {
      if ('password' in body) await checkPassword(person, body.password, ip)
      else await useFactor(person, body, ip)
      await sessions.recordProof(person.sessionId)
    }),

    serveApp(endSession, async ({ person, params }) => {
      if (!(await sessions.endSession(person.userId, params.sessionId)))
        throw new HttpError('session_not_found')
    }),

    serveApp(endOtherSessions, async ({ person }) => {
      await sessions.endSessions(person.userId, { except: person.sessionId })
    }),
  ]
}

/**
 * The origin of the page, which browsers send with every POST. It was compared with the host of the request; under the
 * service's own host name it has to be that of the service, since other ports may belong to others.
 */
function readOrigin({ origin }: IncomingHttpHeaders, own: string | undefined): string {
  if (origin === undefined || !URL.canParse(origin)) throw new HttpError('passkey_without_page')
  const isOwnHost = own !== undefined && new URL(origin).hostname === new URL(own).hostname
  if (isOwnHost && origin !== own) throw new HttpError('request_from_another_site')
  return origin
}
