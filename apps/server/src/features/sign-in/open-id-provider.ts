import type { CustomFetch, ServerMetadata } from 'openid-client'
import { HttpError } from '../../http/http-error.ts'
import type { Log } from '../../platform/log.ts'
import type { RoleRule } from './role-rules.ts'

/** The configuration of an OpenID provider. */
export interface OidcConfig {
  /** The issuer without a trailing slash. */
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined
  /** The name that people know it by. */
  readonly name: string
  readonly scopes: readonly string[]
  /** Who gets a role by signing in. */
  readonly roles: readonly RoleRule[]
  /** The claim with the names of a person's groups. */
  readonly groupsClaim: string
}

/** The random values of one sign-in, by which a person who comes back is known. */
export interface SignInValues {
  state: string
  nonce: string
  /** The code verifier of PKCE (RFC 7636). */
  verifier: string
}

/** A provider whose metadata are known. */
export interface OpenIdProvider {
  createValues(): SignInValues
  /** The address that a browser is sent to. */
  authorizationUrl(values: SignInValues): Promise<string>
  /**
   * Redeems the code in the address at which a person came back. Checked are state and issuer of the answer, and of the ID
   * token signature, algorithm, issuer, audience, times and nonce. Throws a {@link RefusedError}.
   */
  redeem(returned: URL, values: SignInValues): Promise<PersonSource>
}

/** The claims of a person. From JSON: any value may be of any type. */
export type Claims = Readonly<Record<string, unknown>>

/** What the provider says of a person. */
export interface PersonSource {
  /** The claims of the ID token. */
  claims: Claims
  /** Fetches the claims of the userinfo endpoint for the same person; they are empty where there is no endpoint. */
  fetchUserinfo(): Promise<Claims>
}

/** A person who comes back from the provider is not signed in. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  /** The `error` parameter of the page. */
  readonly code: string

  /** `reason` is for the log. */
  constructor(code: string, reason: string) {
    super(reason)
    this.code = code
  }
}

const TIMEOUT_S = 10
/** Room for the claims of a person in 10,000 groups with long names. */
const MAX_RESPONSE_BYTES = 4 * 2 ** 20

/**
 * Fetches the metadata of the provider, which has to call itself as it is configured. Throws an `HttpError` when it cannot
 * be used. `redirectUri`: where it sends people back to.
 */
export async function openOpenIdProvider(
  config: OidcConfig,
  redirectUri: string,
  log: Pick<Log, 'error'>,
): Promise<OpenIdProvider> {
  // The import is dynamic, because most servers have no provider, and others need it with the first sign-in.
  const [library, metadata] = await Promise.all([import('openid-client'), fetchMetadata(config, log)])
  const { clientId, clientSecret } = config
  const authentication = clientSecret === undefined ? library.None() : library.ClientSecretPost(clientSecret)
  const client = new library.Configuration(metadata, clientId, {}, authentication)
  client.timeout = TIMEOUT_S
  client[library.customFetch] = fetchLimited as CustomFetch
  // By default an ID token is trusted without a look at its signature, since it came over TLS from the provider.
  library.enableNonRepudiationChecks(client)
  if (config.issuer.startsWith('http:')) library.allowInsecureRequests(client)

  async function redeem(returned: URL, { state, nonce, verifier }: SignInValues): Promise<PersonSource> {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
    const tokens = await library.authorizationCodeGrant(client, returned, checks).catch((error) => {
      throw new RefusedError(
        error instanceof library.AuthorizationResponseError ? readErrorCode(error.error) : 'invalid_code',
        describe(error),
      )
    })
    const claims = tokens.claims() as Claims
    return {
      claims,
      fetchUserinfo: async () =>
        metadata.userinfo_endpoint === undefined
          ? {}
          : library.fetchUserInfo(client, tokens.access_token, String(claims.sub)).catch((error) => {
              throw new Error(describe(error))
            }),
    }
  }

  return {
    createValues: () => ({
      state: library.randomState(),
      nonce: library.randomNonce(),
      verifier: library.randomPKCECodeVerifier(),
    }),
    async authorizationUrl({ state, nonce, verifier }) {
      const url = library.buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        scope: config.scopes.join(' '),
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },
    redeem,
  }
}

/** The codes of OAuth and OpenID Connect have this form. Any other text of a provider does not get into an address. */
const readErrorCode = (code: string): string => (/^[a-z_]{1,50}$/.test(code) ? code : 'provider_error')

/**
 * The messages of an error and of its causes, and what the provider said of it. The library also keeps answers and claims
 * with its errors, which are not for the log.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 500)
  const { message, cause } = error
  const { error: code, error_description: description } = error as Error & Record<string, unknown>
  const said = [code, description].filter((text) => typeof text === 'string').join(': ')
  const more = cause instanceof Error ? [describe(cause)] : []
  return [message, ...(said === '' ? [] : [`"${said.slice(0, 300)}"`]), ...more].join(': ')
}

async function fetchMetadata(config: OidcConfig, log: Pick<Log, 'error'>): Promise<ServerMetadata> {
  const metadata = await fetchJson(`${config.issuer}/.well-known/openid-configuration`).catch((error) => {
    log.error({ issuer: config.issuer, reason: describe(error) }, 'the OpenID provider cannot be reached')
    throw new HttpError('oidc_not_reachable')
  })
  if (!isIssuer(metadata.issuer, config.issuer)) {
    log.error({ configured: config.issuer, found: metadata.issuer }, WRONG_ISSUER)
    throw new HttpError('oidc_not_reachable', { sentence: WRONG_ISSUER })
  }
  const lacking = ENDPOINTS.filter((name) => !isAddress(metadata[name], config.issuer))
  if (lacking.length > 0) {
    log.error(
      { issuer: config.issuer, lacking },
      'the metadata of the OpenID provider lack what signing in needs',
    )
    throw new HttpError('oidc_not_reachable')
  }
  return metadata as ServerMetadata
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri']

/** Whether an address uses https, or the scheme of the provider's own address, which only the operator decides. */
const isAddress = (value: unknown, issuer: string): boolean =>
  typeof value === 'string' && ['https:', URL.parse(issuer)?.protocol].includes(URL.parse(value)?.protocol)

const WRONG_ISSUER =
  'The service that signs people in calls itself another one than MEADOW_OIDC_ISSUER does. The operator has to correct that.'

/**
 * Whether the provider's metadata is that of the configured issuer (OpenID Connect Discovery, 4.3). Otherwise its tokens
 * would be checked against the name that it gives itself. The configuration has lost a slash at the end, which is not a
 * part of the address of the metadata.
 */
const isIssuer = (found: unknown, configured: string): boolean =>
  found === configured || found === `${configured}/`

async function fetchJson(url: string): Promise<Claims> {
  const response = await fetchLimited(url, {
    headers: { accept: 'application/json' },
    // Redirects are not followed, as in all requests of the library: another server could name other endpoints.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_S * 1000),
  })
  if (!response.ok) throw new Error(`${new URL(url).pathname} answers ${response.status}`)
  const value: unknown = await response.json()
  if (typeof value !== 'object' || value === null)
    throw new Error(`${new URL(url).pathname} answers no object`)
  return value as Claims
}

/** The complete response, whose body has a limit. */
async function fetchLimited(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`${new URL(url).pathname} answers with too much`)
    chunks.push(chunk)
  }
  const { status, headers } = response
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), { status, headers })
}
