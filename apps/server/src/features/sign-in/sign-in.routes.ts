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
import { isAPIError } from 'better-auth/api'
import { isAcceptablePassword } from '../../access/passwords.ts'
import { Redirection, serveApp } from '../../http/app-api/app-route.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import { type AttemptRateLimit, signInKeys } from './attempt-rate-limit.ts'
import type { Auth } from './auth.ts'
import { callAuth } from './auth-dialect.ts'
import type { MeStore, ReadMe } from './me.store.ts'
import type { Oidc } from './oidc.ts'

export interface SignInParts {
  auth: Auth
  oidc: Oidc | undefined
  attempts: AttemptRateLimit
  store: MeStore
  readMe: ReadMe
}

const cookieOf = (cookie: string | undefined) => new Headers(cookie === undefined ? {} : { cookie })

export const signInRoutes = ({ auth, oidc, attempts, store, readMe: respond }: SignInParts) => [
  serveApp(readWaysToSignIn, () => ({ password: true, oidc: oidc ? { name: oidc.name } : null })),

  serveApp(signIn, async ({ body, headers, ip, host, setCookies }) => {
    const { response, headers: set } = await attempts
      .run(
        signInKeys(ip, body.email),
        () =>
          callAuth(() =>
            auth.api.signInEmail({
              body,
              headers: new Headers({ 'user-agent': headers['user-agent'] ?? '' }),
              returnHeaders: true,
            }),
          ),
        isAPIError,
      )
      .catch((error) => {
        throw isAPIError(error) ? new HttpError('sign_in_failed') : error
      })
    setCookies(set.getSetCookie())
    const { id, name, email } = response.user
    return respond({ userId: id as UserId, name, email }, host)
  }),

  serveApp(signOut, async ({ headers, setCookies }) => {
    const { headers: set } = await callAuth(() =>
      auth.api.signOut({
        headers: cookieOf(headers.cookie),
        returnHeaders: true,
      }),
    )
    setCookies(set.getSetCookie())
  }),

  serveApp(readMe, async ({ person, headers, host, setCookies }) => {
    // Extends the session and its cookie if that is due.
    const { headers: set } = await callAuth(() =>
      auth.api.getSession({
        headers: cookieOf(headers.cookie),
        returnHeaders: true,
      }),
    )
    setCookies(set.getSetCookie())
    return respond(person, host)
  }),

  serveApp(changeMe, async ({ person, body, host }) => {
    const name = readNameInput(body.name)
    await store.rename(person.userId, name)
    return respond({ ...person, name }, host)
  }),

  serveApp(changePassword, async ({ person, body, headers, ip, setCookies }) => {
    if (!isAcceptablePassword(body.next)) throw new HttpError('password_not_acceptable')
    const { headers: set } = await attempts
      .run(
        signInKeys(ip, person.email),
        () =>
          callAuth(() =>
            auth.api.changePassword({
              body: { currentPassword: body.current, newPassword: body.next, revokeOtherSessions: true },
              headers: cookieOf(headers.cookie),
              returnHeaders: true,
            }),
          ),
        isAPIError,
      )
      .catch((error) => {
        throw isAPIError(error) ? new HttpError('password_not_right') : error
      })
    setCookies(set.getSetCookie())
  }),

  serveApp(signInThroughOidc, async ({ query, headers, host, setCookies }) => {
    if (!oidc) throw new HttpError('oidc_not_set_up')
    const start = query.here ? undefined : oidc.findStart(host, query.to)
    if (start !== undefined) return new Redirection(start)
    const { url, cookies } = await oidc.start(query.to, cookieOf(headers.cookie))
    setCookies(cookies)
    return new Redirection(url)
  }),
]
