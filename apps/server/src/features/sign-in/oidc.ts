import type { IncomingMessage } from 'node:http'
import { APP_PREFIX, signInThroughOidc } from '@meadow/contract/web'
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

/** Signing in through an OpenID provider. */
export interface Oidc {
  /** What people know it as. */
  readonly name: string
  /**
   * Where somebody has to begin, who asks under this host name: the provider sends people back to the service's own
   * address, where their cookies have to be. Undefined: here.
   */
  findStart(host: string, to: string | undefined): string | undefined
  /** Where to send somebody, who comes back to the page `to`, a path; and the cookies that belong to the way there. */
  start(to: string | undefined, headers: Headers): Promise<{ url: string; cookies: string[] }>
  /** Answers those who come back from there. */
  finish(request: IncomingMessage): Promise<Response>
}

export function createOidc(parts: AuthParts & { baseUrl: string }, config: OidcConfig): Oidc {
  const ownHost = hostNameOf(new URL(parts.baseUrl).host)
  let opened: Promise<Auth> | undefined

  /** What the provider says of itself is asked for once, and again after it could not be had. */
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
      const asked = new URLSearchParams({ here: 'yes', ...(to !== undefined && { to }) })
      return `${parts.baseUrl}${APP_PREFIX}${signInThroughOidc.path}?${asked}`
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

/** A page of this app: whatever else was asked for leads to the first one. */
function pageOf(baseUrl: string, to = '/'): string {
  const page = URL.parse(`${baseUrl}${to}`)
  const isOurs = /^\/(?![/\\])/.test(to) && page?.href.startsWith(`${baseUrl}/`)
  return isOurs ? page!.href : `${baseUrl}/`
}
