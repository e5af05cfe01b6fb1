import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { UserId } from '@meadow/contract'
import { APP_PREFIX, signInThroughOidc } from '@meadow/contract/web'
import type { FastifyInstance } from 'fastify'
import { setProvidedRoles } from '../../access/provided-roles.ts'
import { deriveKey, seal, unseal } from '../../access/seal.ts'
import { cookiePrefix, readCookies, type SessionCookies, writeCookie } from '../../access/session-cookie.ts'
import { SESSION_IDLE_MS, type SessionStore } from '../../access/sessions.store.ts'
import { ANONYMOUS, runIn } from '../../audit/request-context.ts'
import { hostNameOf } from '../../http/connection/address.ts'
import { cookieScopeOf } from '../../http/connection/public-address.ts'
import { FOR_ANYONE } from '../../http/route-access.ts'
import type { Database } from '../../platform/database/database.ts'
import { hasEnded, timeOf } from '../../platform/database/database-clock.ts'
import type { Log } from '../../platform/log.ts'
import {
  type OidcConfig,
  type OpenIdProvider,
  openOpenIdProvider,
  RefusedError,
  type SignInValues,
} from './open-id-provider.ts'
import { findOrCreateUser } from './provider-accounts.ts'
import { readProfile } from './provider-profile.ts'
import { findProvidedRoles } from './role-rules.ts'
import { spendChallenge } from './second-factors.store.ts'
import type { RecordFailedSignIn } from './sign-in-events.ts'

/** Sign-in through an OpenID provider (0097). */
export interface Oidc {
  /** The name of the provider, as people know it. */
  readonly name: string
  /**
   * The URL at which sign-in has to start for a request under `host`: the provider redirects to the service's own
   * address, where the cookies have to be. Undefined when it can start here.
   */
  findStart(host: string, to: string | undefined): string | undefined
  /** The URL of the provider to redirect to, and the cookie for it. `to` is the path of the page to show afterwards. */
  start(to: string | undefined): Promise<{ url: string; cookie: string }>
  /** Handles the provider's redirect back: where to redirect to, and the cookies to set. */
  finish(request: IncomingMessage, ip: string): Promise<{ url: string; cookies: string[] }>
}

export interface OidcParts {
  database: Database
  sessions: Pick<SessionStore, 'createSession'>
  cookies: Pick<SessionCookies, 'set'>
  recordFailure: RecordFailedSignIn
  /** The one that session cookies are signed with. */
  secret: string
  /** The address of the service, without a trailing slash. */
  baseUrl: string
  log: Pick<Log, 'error' | 'warn'>
}

/** A sign-in that has begun, as its browser keeps it: sealed, since nothing is stored before they come back. */
interface Started extends SignInValues {
  /** The address to show afterwards. */
  page: string
  until: number
}

/** The path that the provider redirects browsers to. Operators have registered it at the provider. */
const CALLBACK_PATH = `${APP_PREFIX}/auth/callback/oidc`

/** The cookie of a sign-in that has begun, after its prefix. */
const COOKIE = 'better-auth.state'

/** How long people may take at the provider. */
const STARTED_MS = 10 * 60 * 1000

export function createOidc(parts: OidcParts, config: OidcConfig): Oidc {
  const { database, baseUrl, log } = parts
  const ownHost = hostNameOf(new URL(baseUrl).host)
  const redirectUri = `${baseUrl}${CALLBACK_PATH}`
  const now = () => timeOf(database.read)
  const started = createStartedCookie(parts.secret, baseUrl, now)
  const groupsClaim = config.roles.some((rule) => 'group' in rule) ? config.groupsClaim : undefined
  let opened: Promise<OpenIdProvider> | undefined

  /** The provider's metadata is fetched once, and again after a failure. */
  function open(): Promise<OpenIdProvider> {
    opened ??= openOpenIdProvider(config, redirectUri, log).catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }

  /** The user whom the answer of the provider signs in, with the roles that rules give them. */
  async function readAnswer(returned: URL, values: Started): Promise<UserId> {
    const provider = await open()
    const { state, until } = values
    // It is kept for longer than the cookie counts, because the clocks of two processes may differ.
    const spent = { hash: createHash('sha256').update(state).digest(), until: until + STARTED_MS }
    if (!(await database.transaction((write) => spendChallenge(write, spent, now()))))
      throw new RefusedError('state_mismatch', 'The person has come back with this answer before.')
    const found = await readProfile(await provider.redeem(returned, values), groupsClaim, log)
    if (!found)
      throw new RefusedError('unable_to_get_user_info', 'The provider does not say who the person is.')
    const user = await findOrCreateUser(database, found.user)
    const roles = findProvidedRoles(config.roles, found.profile)
    for (const team of await setProvidedRoles(database, user, roles)) log.warn({ user, team }, LAST_OWNER)
    return user
  }

  async function refuse({ code, message }: RefusedError, cookies: string[]) {
    log.warn({ code, reason: message }, 'somebody who came back from the OpenID provider was not signed in')
    await parts.recordFailure('oidc')
    return { url: `${baseUrl}/sign-in?failed=oidc&error=${encodeURIComponent(code)}`, cookies }
  }

  return {
    name: config.name,
    findStart(host, to) {
      if (host === ownHost) return undefined
      const query = new URLSearchParams({ here: 'yes', ...(to !== undefined && { to }) })
      return `${baseUrl}${APP_PREFIX}${signInThroughOidc.path}?${query}`
    },
    async start(to) {
      const provider = await open()
      const values = provider.createValues()
      const url = await provider.authorizationUrl(values)
      const page = pageOf(baseUrl, to)
      return { url, cookie: started.write({ ...values, page, until: now() + STARTED_MS }) }
    },
    async finish({ url = '', headers }, ip) {
      const returned = new URL(redirectUri)
      returned.search = /\?.*/s.exec(url)?.[0] ?? ''
      const state = returned.searchParams.get('state')
      if (state === null) return refuse(new RefusedError('state_not_found', 'The answer has no state.'), [])
      const values = started.read(headers.cookie, state)
      // The cookie stays: else any page could end the sign-in that somebody has begun.
      if (!values)
        return refuse(new RefusedError('state_mismatch', 'The browser has begun no such sign-in.'), [])
      try {
        const user = await readAnswer(returned, values)
        const session = { user, userAgent: headers['user-agent'] ?? '', address: ip, by: 'oidc' } as const
        const expiresAt = now() + SESSION_IDLE_MS
        const token = await parts.sessions.createSession({ ...session, expiresAt })
        return {
          url: values.page,
          cookies: [parts.cookies.set({ token, expiresAt }), started.remove()],
        }
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error
        return refuse(error, [started.remove()])
      }
    },
  }
}

/** The cookie that binds a sign-in to the browser in which it began. */
function createStartedCookie(secret: string, baseUrl: string, now: () => number) {
  const key = deriveKey(secret, 'OpenID')
  const scope = cookieScopeOf(baseUrl)
  const name = `${cookiePrefix(scope)}${COOKIE}`

  function unsealStarted(value: string): Started | undefined {
    const text = unseal(key, COOKIE, value)
    return text === undefined ? undefined : (JSON.parse(text) as Started)
  }

  return {
    write(value: Started): string {
      const sealed = seal(key, COOKIE, JSON.stringify(value))
      return writeCookie(`${name}=${sealed}`, STARTED_MS / 1000, scope)
    },
    /** The sign-in with this state, unless it has expired. */
    read: (header: string | undefined, state: string): Started | undefined =>
      readCookies(header, name)
        .map(unsealStarted)
        .find((value) => value?.state === state && !hasEnded(value.until, STARTED_MS, now())),
    remove: () => writeCookie(`${name}=`, 0, scope),
  }
}

/** The callback is not an endpoint of the contract. */
export function mountOidc(app: FastifyInstance, oidc: Oidc): void {
  app.get(CALLBACK_PATH, FOR_ANYONE, async (request, reply) => {
    const origin = { actor: ANONYMOUS, address: request.ip, request: request.id }
    const { url, cookies } = await runIn(origin, () => oidc.finish(request.raw, request.ip))
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    return reply.redirect(url, 302)
  })
}

const LAST_OWNER =
  'Rules of MEADOW_OIDC_ROLES no longer make the user an owner of the team, whose last owner they are: they stay one until ' +
  'they sign in when there is another.'

/** Browsers keep no cookie that is much longer. No page of the app has such an address. */
const MAX_PAGE_LENGTH = 2000

/**
 * The URL of a page of this app; any other target becomes the first page. Neither what was asked for nor what becomes of it
 * may begin like the address of another host.
 */
function pageOf(baseUrl: string, to = '/'): string {
  const page = URL.parse(`${baseUrl}${to}`)?.href ?? ''
  const isOurs = page.startsWith(`${baseUrl}/`) && [to, page.slice(baseUrl.length)].every(isOwnPath)
  return isOurs && page.length <= MAX_PAGE_LENGTH ? page : `${baseUrl}/`
}

const isOwnPath = (path: string): boolean => /^\/(?![/\\])/.test(path)
