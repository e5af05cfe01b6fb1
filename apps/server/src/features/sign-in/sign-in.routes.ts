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
import type { Person, SessionStore } from '../../access/sessions.store.ts'
import { Redirection, serveApp } from '../../http/app-api/app-route.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import { type AttemptRateLimit, signInKeys } from './attempt-rate-limit.ts'
import { type Auth, clientHeaders, isRefusal } from './auth.ts'
import { callAuth } from './auth-dialect.ts'
import type { MeStore, ReadMe } from './me.store.ts'
import type { Oidc } from './oidc.ts'
import type { SecondFactorStore } from './second-factors.store.ts'
import type { SignInEvents } from './sign-in-events.ts'

export interface SignInParts {
  openAuth: () => Promise<Auth>
  oidc: Oidc | undefined
  /** Whether mails are sent. */
  sendsMail: boolean
  attempts: AttemptRateLimit
  store: MeStore
  readMe: ReadMe
  passwords: {
    /** Replaces a hash of an older strength, after the password was right. */
    renewHash(user: UserId, password: string): Promise<void>
    /** Why a person may not have the password as their new one. */
    findFault(person: Person, password: string): Promise<string | undefined>
    /** The new token of the session. Undefined: `current` is not their password. */
    change(person: Person, passwords: { current: string; next: string }): Promise<string | undefined>
  }
  sessions: Pick<SessionStore, 'extendSession' | 'findAwaiting'>
  factors: Pick<SecondFactorStore, 'listKinds'>
  cookies: SessionCookies
  events: SignInEvents
}

const cookieOf = (cookie: string | undefined) => new Headers(cookie === undefined ? {} : { cookie })

export const signInRoutes = ({
  openAuth,
  oidc,
  sendsMail,
  attempts,
  store,
  readMe: respond,
  passwords,
  sessions,
  factors,
  cookies,
  events,
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
    const auth = await openAuth()
    const { response, headers: set } = await attempts
      .run(
        signInKeys(ip, body.email),
        () =>
          callAuth(
            () =>
              auth.api.signInEmail({
                body,
                headers: clientHeaders(headers['user-agent'], ip),
                returnHeaders: true,
              }),
            events.started('password'),
          ),
        isRefusal,
      )
      .catch(async (error) => {
        if (!isRefusal(error)) throw error
        await events.failed('password', body.email)
        throw new HttpError('sign_in_failed')
      })
    setCookies(set.getSetCookie())
    const { id, name, email } = response.user
    const userId = id as UserId
    await passwords.renewHash(userId, body.password)
    const awaits = await factors.listKinds(userId)
    // The session of the cookie is opened by the factor.
    return awaits.codes || awaits.passkeys ? { awaits } : respond({ userId, name, email }, host)
  }),

  serveApp(signOut, async ({ headers, person, setCookies, clearBrowserCache }) => {
    const auth = await openAuth()
    const { headers: set } = await callAuth(
      () =>
        auth.api.signOut({
          headers: new Headers({ cookie: cookies.rename(headers.cookie) }),
          returnHeaders: true,
        }),
      person && events.signedOut,
    )
    setCookies([...set.getSetCookie(), ...cookies.removeOlder(headers.cookie)])
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

  serveApp(signInThroughOidc, async ({ query, headers, host, setCookies }) => {
    if (!oidc) throw new HttpError('oidc_not_set_up')
    const start = query.here ? undefined : oidc.findStart(host, query.to)
    if (start !== undefined) return new Redirection(start)
    const { url, cookies: set } = await oidc.start(query.to, cookieOf(headers.cookie))
    setCookies(set)
    return new Redirection(url)
  }),
]
