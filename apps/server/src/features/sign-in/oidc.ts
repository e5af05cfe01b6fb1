import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { UserId } from '@meadow/contract'
import { APP_PREFIX, signInThroughOidc } from '@meadow/contract/web'
import type { FastifyInstance } from 'fastify'
import { ANONYMOUS, runFrom } from '../../audit/origin.ts'
import { setProvidedRoles } from '../../catalogue/provided-roles.ts'
import { hostNameOf } from '../../http/connection/address.ts'
import { HttpError } from '../../http/http-error.ts'
import { FOR_ANYONE } from '../../http/route-access.ts'
import {
  AUTH_PATH,
  type Auth,
  type AuthParts,
  clientHeaders,
  createAuth,
  discoveryUrlOf,
  FAILED,
  OIDC_PROVIDER,
  type OidcConfig,
  type ProviderParts,
} from './auth.ts'
import { callAuth } from './auth-dialect.ts'
import { createProfileReader, type ProviderProfile } from './provider-profile.ts'
import { findProvidedRoles } from './role-rules.ts'
import type { SignInEvents } from './sign-in-events.ts'

/** Sign-in through an OpenID provider. */
export interface Oidc {
  /** The name of the provider, as people know it. */
  readonly name: string
  /**
   * The URL at which sign-in has to start for a request under `host`: the provider redirects to the service's own
   * address, where the cookies have to be. Undefined when it can start here.
   */
  findStart(host: string, to: string | undefined): string | undefined
  /** The URL of the provider to redirect to, and the cookies for it. `to` is the path of the page to show afterwards. */
  start(to: string | undefined, headers: Headers): Promise<{ url: string; cookies: string[] }>
  /** Handles the provider's redirect back. */
  finish(request: IncomingMessage, ip: string): Promise<Response>
}

export function createOidc(
  parts: AuthParts & { baseUrl: string },
  config: OidcConfig,
  events: Pick<SignInEvents, 'started' | 'failed'>,
): Oidc {
  const ownHost = hostNameOf(new URL(parts.baseUrl).host)
  const readProfile = createProfileReader({
    discoveryUrl: discoveryUrlOf(config),
    groupsClaim: config.roles.some((rule) => 'group' in rule) ? config.groupsClaim : undefined,
    log: parts.log,
  })
  let opened: Promise<Auth> | undefined

  /** The provider's metadata is fetched once, and again after a failure. */
  function open(): Promise<Auth> {
    opened ??= openNow().catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }

  async function openNow(): Promise<Auth> {
    const auth = await createAuth(parts, { config, readUser, beforeSession })
    const { socialProviders } = await auth.$context
    const provider = socialProviders.find(({ id }) => id === OIDC_PROVIDER)
    if (!provider) throw new HttpError('oidc_not_reachable')
    if (!isIssuer(provider.issuer, config.issuer)) {
      parts.log.error({ configured: config.issuer, found: provider.issuer }, WRONG_ISSUER)
      throw new HttpError('oidc_not_reachable', { sentence: WRONG_ISSUER })
    }
    return auth
  }

  /** Keeps what the provider says of the person for the roles, which need the user. */
  const readUser: ProviderParts['readUser'] = async (tokens) => {
    const found = await readProfile(tokens)
    returns.getStore()!.profile = found?.profile
    return found?.user
  }

  async function beforeSession(user: UserId): Promise<boolean> {
    const current = returns.getStore()!
    try {
      if (!current.profile) throw new Error('A session would begin without a word of the provider.')
      const roles = findProvidedRoles(config.roles, current.profile)
      for (const team of await setProvidedRoles(parts.database, user, roles))
        parts.log.warn({ user, team }, LAST_OWNER)
      return true
    } catch (error) {
      // better-auth would send them back to the form, also while the database is unavailable.
      current.failure = { error }
      return false
    }
  }

  return {
    name: config.name,
    findStart(host, to) {
      if (host === ownHost) return undefined
      const query = new URLSearchParams({ here: 'yes', ...(to !== undefined && { to }) })
      return `${parts.baseUrl}${APP_PREFIX}${signInThroughOidc.path}?${query}`
    },
    async start(to, headers) {
      const auth = await open()
      const { response, headers: set } = await callAuth(() =>
        auth.api.signInSocial({
          body: {
            provider: OIDC_PROVIDER,
            callbackURL: pageOf(parts.baseUrl, to),
            errorCallbackURL: `${parts.baseUrl}${FAILED}`,
          },
          headers,
          returnHeaders: true,
        }),
      )
      if (!response.url) throw new Error('better-auth gave no address to go to.')
      return { url: response.url, cookies: set.getSetCookie() }
    },
    async finish({ url, headers }, ip) {
      const auth = await open()
      const query = url!.slice(url!.indexOf('?') + 1)
      const current: Return = {}
      const response = await returns.run(current, () =>
        callAuth(
          () =>
            auth.handler(
              new Request(`${parts.baseUrl}${AUTH_PATH}/callback/${OIDC_PROVIDER}?${query}`, {
                headers: clientHeaders(headers['user-agent'], ip, headers.cookie ?? ''),
              }),
            ),
          events.started('oidc'),
        ),
      )
      if (current.failure) throw current.failure.error
      const to = response.headers.get('location')
      if (response.status >= 400 || to?.startsWith(`${parts.baseUrl}${FAILED}`)) await events.failed('oidc')
      return response
    },
  }
}

/** The callback to which the provider redirects browsers. It is responseed by better-auth and not an endpoint of the contract. */
export function mountOidc(app: FastifyInstance, oidc: Oidc): void {
  app.get(`${AUTH_PATH}/callback/${OIDC_PROVIDER}`, FOR_ANYONE, async (request, reply) => {
    const origin = { actor: ANONYMOUS, address: request.ip, request: request.id }
    const response = await runFrom(origin, () => oidc.finish(request.raw, request.ip))
    reply.code(response.status)
    const to = response.headers.get('location')
    if (to !== null) reply.header('location', to)
    const cookies = response.headers.getSetCookie()
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    return reply.send()
  })
}

/** A person who returns from the provider. */
interface Return {
  profile?: ProviderProfile | undefined
  /** What kept their roles from being changed. */
  failure?: { error: unknown }
}

const returns = new AsyncLocalStorage<Return>()

const LAST_OWNER =
  'Rules of MEADOW_OIDC_ROLES no longer make the user an owner of the team, whose last owner they are: they stay one until ' +
  'they sign in when there is another.'

const WRONG_ISSUER =
  'The service that signs people in calls itself another one than MEADOW_OIDC_ISSUER does. The operator has to correct that.'

/**
 * Whether the provider's metadata is that of the configured issuer (OpenID Connect Discovery, 4.3). Otherwise its tokens
 * would be checked against the name that it gives itself. The configuration has lost a slash at the end, which is not a
 * part of the address of the metadata.
 */
const isIssuer = (found: string | undefined, configured: string): boolean =>
  found === configured || found === `${configured}/`

/** The URL of a page of this app; any other target becomes the first page. */
function pageOf(baseUrl: string, to = '/'): string {
  const page = URL.parse(`${baseUrl}${to}`)
  const isOurs = /^\/(?![/\\])/.test(to) && page?.href.startsWith(`${baseUrl}/`)
  return isOurs ? page!.href : `${baseUrl}/`
}
