import type { IncomingMessage } from 'node:http'
import { APP_PREFIX, signInThroughOidc } from '@meadow/contract/web'
import type { FastifyInstance } from 'fastify'
import { hostNameOf } from '../../http/connection/address.ts'
import { HttpError } from '../../http/http-error.ts'
import {
  AUTH_PATH,
  type Auth,
  type AuthParts,
  createAuth,
  FAILED,
  OIDC_PROVIDER,
  type OidcConfig,
} from './auth.ts'
import { callAuth } from './auth-dialect.ts'

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
  finish(request: IncomingMessage): Promise<Response>
}

export function createOidc(parts: AuthParts & { baseUrl: string }, config: OidcConfig): Oidc {
  const ownHost = hostNameOf(new URL(parts.baseUrl).host)
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
    const auth = createAuth(parts, config)
    const { socialProviders } = await auth.$context
    if (!socialProviders.some(({ id }) => id === OIDC_PROVIDER)) throw new HttpError('oidc_not_reachable')
    return auth
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
    async finish({ url, headers }) {
      const auth = await open()
      const query = url!.slice(url!.indexOf('?') + 1)
      return callAuth(() =>
        auth.handler(
          new Request(`${parts.baseUrl}${AUTH_PATH}/callback/${OIDC_PROVIDER}?${query}`, {
            headers: { cookie: headers.cookie ?? '', 'user-agent': headers['user-agent'] ?? '' },
          }),
        ),
      )
    },
  }
}

/** The callback to which the provider redirects browsers. It is responseed by better-auth and not an endpoint of the contract. */
export function mountOidc(app: FastifyInstance, oidc: Oidc): void {
  app.get(`${AUTH_PATH}/callback/${OIDC_PROVIDER}`, async (request, reply) => {
    const response = await oidc.finish(request.raw)
    reply.code(response.status).header('cache-control', 'no-store')
    const to = response.headers.get('location')
    if (to !== null) reply.header('location', to)
    const cookies = response.headers.getSetCookie()
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    return reply.send()
  })
}

/** The URL of a page of this app; any other target becomes the first page. */
function pageOf(baseUrl: string, to = '/'): string {
  const page = URL.parse(`${baseUrl}${to}`)
  const isOurs = /^\/(?![/\\])/.test(to) && page?.href.startsWith(`${baseUrl}/`)
  return isOurs ? page!.href : `${baseUrl}/`
}
