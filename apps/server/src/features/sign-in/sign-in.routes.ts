import type { UserId } from '@meadow/contract'
import {
  changeMe,
  changePassword,
  readMe,
  readWaysToSignIn,
  signIn,
  signInThroughOidc,
  signOut,
} from '@meadow/contract/web'
import type { SessionCookies } from '../../access/session-cookie.ts'
import { type Person, SESSION_IDLE_MS, type SessionStore } from '../../access/sessions.store.ts'
import type { UserRecord } from '../../access/users.store.ts'
import { Redirection, serveApp } from '../../http/app-api/app-route.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import { type AttemptRateLimit, signInKeys } from './attempt-rate-limit.ts'
import type { MeStore, ReadMe } from './me.store.ts'
import type { Oidc } from './oidc.ts'
import type { SecondFactorStore } from './second-factors.store.ts'
import type { RecordFailedSignIn } from './sign-in-events.ts'

export interface SignInParts {
  /** The time by the clock of the database, in milliseconds. */
  now(): number
  oidc: Oidc | undefined
  /** Whether mails are sent. */
  sendsMail: boolean
  attempts: AttemptRateLimit
  store: MeStore
  readMe: ReadMe
  passwords: {
    /** Finds the user with this address and password. */
    findUser(typed: { email: string; password: string }): Promise<UserRecord | undefined>
    /** Replaces a hash of an older strength, after the password was right. */
    renewHash(user: UserId, password: string): Promise<void>
    /** Finds out why a person may not have the password as their new one. */
    findFault(person: Person, password: string): Promise<string | undefined>
    /** Resolves with the new token of the session; undefined when `current` is not the person's password. */
    change(person: Person, passwords: { current: string; next: string }): Promise<string | undefined>
  }
  sessions: Pick<SessionStore, 'createSession' | 'extendSession' | 'findAwaiting' | 'signOut'>
  factors: Pick<SecondFactorStore, 'listKinds'>
  cookies: SessionCookies
  recordFailure: RecordFailedSignIn
}

export const signInRoutes = ({
  now,
  oidc,
  sendsMail,
  attempts,
  store,
  readMe: respond,
  passwords,
  sessions,
  factors,
  cookies,
  recordFailure,
}: SignInParts) => [
  serveApp(readWaysToSignIn, async ({ headers }) => {
    const awaiting = await sessions.findAwaiting(headers.cookie)
    return {
      password: true,
      mail: sendsMail,
      oidc: oidc ? { name: oidc.name } : null,
      awaits: awaiting ? await factors.listKinds(awaiting.userId) : null,
    }
  }),

  serveApp(signIn, async ({ body, headers, ip, host, setCookies }) => {
    const isRefusal = (error: unknown) => error instanceof HttpError && error.code === 'sign_in_failed'
    const { id, name, email } = await attempts
      .run(
        signInKeys(ip, body.email),
        async () => {
          const user = await passwords.findUser(body)
          if (!user) throw new HttpError('sign_in_failed')
          return user
        },
        isRefusal,
      )
      .catch(async (error) => {
        if (isRefusal(error)) await recordFailure('password', body.email)
        throw error
      })
    const session = { user: id, userAgent: headers['user-agent'] ?? '', address: ip, by: 'password' } as const
    const expiresAt = now() + SESSION_IDLE_MS
    const token = await sessions.createSession({ ...session, expiresAt })
    setCookies([cookies.set({ token, expiresAt })])
    await passwords.renewHash(id, body.password)
    const awaits = await factors.listKinds(id)
    // The session of the cookie is opened by the factor.
    return awaits.codes || awaits.passkeys ? { awaits } : respond({ userId: id, name, email }, host)
  }),

  serveApp(signOut, async ({ headers, person, setCookies, clearBrowserCache }) => {
    await sessions.signOut(headers.cookie, person !== undefined)
    setCookies(cookies.remove(headers.cookie))
    clearBrowserCache()
  }),

  serveApp(readMe, async ({ person, headers, host, setCookies }) => {
    const extended = await sessions.extendSession(headers.cookie)
    const older = cookies.removeOlder(headers.cookie)
    const token = cookies.read(headers.cookie)!
    const session = extended ?? (older.length > 0 ? { token, expiresAt: person.expiresAt } : undefined)
    if (session) setCookies([cookies.set(session), ...older])
    return respond(person, host)
  }),

  serveApp(changeMe, async ({ person, body, host }) => {
    const name = body.name === undefined ? person.name : readNameInput(body.name)
    if (body.name !== undefined) await store.rename(person.userId, name)
    if (body.mentionMails !== undefined) await store.setMentionMails(person.userId, body.mentionMails)
    return respond({ ...person, name }, host)
  }),

  serveApp(changePassword, async ({ person, body, ip, setCookies }) => {
    const fault = await passwords.findFault(person, body.next)
    if (fault !== undefined) throw new HttpError('password_not_acceptable', { sentence: fault })
    const token = await attempts.run(
      signInKeys(ip, person.email),
      async () => {
        const renewed = await passwords.change(person, body)
        if (renewed === undefined) throw new HttpError('password_not_right')
        return renewed
      },
      (error) => error instanceof HttpError,
    )
    setCookies([cookies.set({ token, expiresAt: person.expiresAt })])
  }),

  serveApp(signInThroughOidc, async ({ query, host, setCookies }) => {
    if (!oidc) throw new HttpError('oidc_not_set_up')
    const start = query.here ? undefined : oidc.findStart(host, query.to)
    if (start !== undefined) return new Redirection(start)
    const { url, cookie } = await oidc.start(query.to)
    setCookies([cookie])
    return new Redirection(url)
  }),
]
