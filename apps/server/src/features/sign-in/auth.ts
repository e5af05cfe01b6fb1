import { randomBytes } from 'node:crypto'
import type { UserId } from '@meadow/contract'
import { APP_PREFIX, OIDC_FAILURES } from '@meadow/contract/web'
import { hashPassword, verifyPassword } from '../../access/password-hashes.ts'
import { cookiePrefix } from '../../access/session-cookie.ts'
import { cookieScopeOf } from '../../http/connection/public-address.ts'
import type { Database } from '../../platform/database/database.ts'
import { cleanName } from '../../platform/database/names.ts'
import type { Log } from '../../platform/log.ts'
import { createPublicId } from '../../platform/public-ids.ts'
import { createAuthDialect, findOutageOfCall, trackOutage } from './auth-dialect.ts'
import type { ProviderTokens, ProviderUser } from './provider-profile.ts'
import type { RoleRule } from './role-rules.ts'

/** The configuration of an OpenID provider. */
export interface OidcConfig {
  /** Without a trailing slash. */
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

export interface AuthParts {
  database: Database
  /** The key that cookies are signed with. */
  secret: string
  /** Without a trailing slash; undefined if not configured. */
  baseUrl: string | undefined
  log: Pick<Log, 'error' | 'warn'>
}

/** Sign-in through an OpenID provider. */
export interface ProviderParts {
  config: OidcConfig
  /** Undefined: nobody is signed in. */
  readUser(tokens: ProviderTokens): Promise<ProviderUser | undefined>
  /** Runs before the session of a user begins. False: it does not. */
  beforeSession(user: UserId): Promise<boolean>
}

/** The id of the provider in better-auth, and in the callback URL. */
export const OIDC_PROVIDER = 'oidc'
/** The prefix of better-auth's own paths. Only the callback is mounted. */
export const AUTH_PATH = `${APP_PREFIX}/auth`

/**
 * Loads better-auth, which takes a quarter of a second of processor time. Not a static import: a server answers its first
 * requests before.
 */
export async function loadBetterAuth() {
  const [{ betterAuth }, { APIError }, { genericOAuth }] = await Promise.all([
    import('better-auth'),
    import('better-auth/api'),
    import('better-auth/plugins'),
  ])
  return { betterAuth, APIError, genericOAuth }
}

type BetterAuth = Awaited<ReturnType<typeof loadBetterAuth>>

/** Sessions, passwords and the OpenID provider, managed by better-auth in the server's database (0017). */
export async function createAuth(parts: AuthParts, provider?: ProviderParts) {
  const library = await loadBetterAuth()
  // better-auth queries the database immediately, outside of any call.
  return trackOutage(() => openAuth(library, parts, provider))
}

function openAuth(
  { betterAuth, APIError, genericOAuth }: BetterAuth,
  { database, secret, baseUrl, log }: AuthParts,
  provider: ProviderParts | undefined,
) {
  const scope = cookieScopeOf(baseUrl)
  return betterAuth({
    appName: 'Meadow',
    // Only sign-in through a provider needs the address, and requires that it is configured.
    baseURL: `${baseUrl ?? 'http://localhost'}${AUTH_PATH}`,
    secret,
    database: { dialect: createAuthDialect(database), type: database.dialect, transaction: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      // For unknown addresses, and for people without a password, it makes a hash, which takes the same time.
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    // Sessions are extended up to their absolute end by the store of sessions.
    session: { disableSessionRefresh: true },
    account: { encryptOAuthTokens: true },
    // See `attempt-rate-limit.ts`: better-auth would only limit its own paths, which are not mounted.
    rateLimit: { enabled: false },
    advanced: {
      // Otherwise it stores the network of an IPv6 address only.
      ipAddress: { ipv6Subnet: 128 },
      // Its own prefix would be `__Secure-` everywhere.
      useSecureCookies: false,
      cookiePrefix: `${cookiePrefix(scope)}better-auth`,
      // Other applications at the same host do not receive them.
      defaultCookieAttributes: { path: scope.path, secure: scope.isSecure },
      database: {
        generateId: ({ model }) =>
          model === 'user' ? createPublicId('usr') : randomBytes(24).toString('base64url'),
      },
    },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message) => log.error({ message, err: findOutageOfCall() }, 'sign-in'),
    },
    databaseHooks: {
      user: {
        create: {
          // An unverified address would be taken from its real owner. Other accounts are not created by better-auth.
          async before({ emailVerified, name }) {
            if (!emailVerified) throw new APIError('FORBIDDEN', { code: OIDC_FAILURES.notVerified })
            return { data: { name: cleanName(name) } }
          },
        },
      },
      ...(provider && {
        session: {
          create: {
            // What a hook throws would be written to standard error, past the log.
            before: async ({ userId }) =>
              (await provider.beforeSession(userId as UserId)) ? undefined : false,
          },
        },
      }),
    },
    ...(provider && {
      onAPIError: { errorURL: `${baseUrl}${FAILED}` },
      plugins: [genericOAuth({ config: [providerOf(provider)] })],
    }),
  })
}

export type Auth = Awaited<ReturnType<typeof createAuth>>

/** The one header that better-auth reads the address of the client from by default. */
const ADDRESS_HEADER = 'x-forwarded-for'

/** What better-auth is told of the client of a request, and stores with a session. */
export const clientHeaders = (userAgent = '', ip: string, cookie?: string): Headers =>
  new Headers({ 'user-agent': userAgent, [ADDRESS_HEADER]: ip, ...(cookie !== undefined && { cookie }) })

/** Whether better-auth has refused what it was asked for. */
export const isRefusal = (error: unknown): boolean => error instanceof Error && error.name === 'APIError'

/** The page that is shown when the provider rejects a person. */
export const FAILED = '/sign-in?failed=oidc'

/** The address of the metadata of a provider. */
export const discoveryUrlOf = ({ issuer }: OidcConfig): string => `${issuer}/.well-known/openid-configuration`

const providerOf = ({ config, readUser }: ProviderParts) => ({
  providerId: OIDC_PROVIDER,
  discoveryUrl: discoveryUrlOf(config),
  clientId: config.clientId,
  ...(config.clientSecret !== undefined && { clientSecret: config.clientSecret }),
  scopes: [...config.scopes],
  requireIdTokenVerification: true,
  getUserInfo: async (tokens: ProviderTokens) => (await readUser(tokens)) ?? null,
})
