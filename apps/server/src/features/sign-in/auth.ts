import { randomBytes } from 'node:crypto'
import { APP_PREFIX, OIDC_FAILURES } from '@meadow/contract/web'
import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins'
import { publicPath } from '../../http/connection/public-address.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import { createPublicId } from '../../platform/public-ids.ts'
import { createAuthDialect, findOutageOfCall, trackOutage } from './auth-dialect.ts'

/** An OpenID provider, as it is configured. */
export interface OidcConfig {
  /** Without a closing slash. */
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined
  /** What people know it as. */
  readonly name: string
}

export interface AuthParts {
  database: Database
  /** What the cookies are signed with. */
  secret: string
  /** Without a closing slash; undefined where none is configured. */
  baseUrl: string | undefined
  log: Pick<Log, 'error'>
}

/** What better-auth, and the address that its provider sends people back to, call the provider. */
export const OIDC_PROVIDER = 'oidc'
/** Where better-auth's own addresses are. People are sent back to one of them; the others are not mounted. */
export const AUTH_PATH = `${APP_PREFIX}/auth`

/** Sessions, passwords and the OpenID provider, kept by better-auth in our own database (0017). */
export function createAuth(parts: AuthParts, oidc?: OidcConfig) {
  // It looks at the database at once, by itself.
  return trackOutage(() => openAuth(parts, oidc))
}

function openAuth({ database, secret, baseUrl, log }: AuthParts, oidc: OidcConfig | undefined) {
  return betterAuth({
    appName: 'Meadow',
    // Only what goes through a provider needs to know where it is, and that is configured with an address.
    baseURL: `${baseUrl ?? 'http://localhost'}${AUTH_PATH}`,
    secret,
    database: { dialect: createAuthDialect(database), type: database.dialect, transaction: false },
    emailAndPassword: { enabled: true, disableSignUp: true },
    account: { encryptOAuthTokens: true },
    // Failures are counted in `attempts.ts`: these limits would stand before addresses that are not mounted.
    rateLimit: { enabled: false },
    advanced: {
      useSecureCookies: baseUrl?.startsWith('https:') ?? false,
      // What else lies at the same host has no business with them.
      defaultCookieAttributes: { path: publicPath(baseUrl) || '/' },
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
          // Whoever it is really would find it taken, and be taken for them. Ours are made elsewhere.
          async before({ emailVerified }) {
            if (!emailVerified) throw new APIError('FORBIDDEN', { code: OIDC_FAILURES.notVerified })
          },
        },
      },
    },
    ...(oidc && {
      onAPIError: { errorURL: `${baseUrl}${FAILED}` },
      plugins: [genericOAuth({ config: [providerOf(oidc)] })],
    }),
  })
}

export type Auth = ReturnType<typeof createAuth>

/** The page that people come to when a provider did not let them in. */
export const FAILED = '/sign-in?failed=oidc'

const providerOf = ({ issuer, clientId, clientSecret }: OidcConfig) => ({
  providerId: OIDC_PROVIDER,
  discoveryUrl: `${issuer}/.well-known/openid-configuration`,
  clientId,
  ...(clientSecret !== undefined && { clientSecret }),
  scopes: ['openid', 'email', 'profile'],
  requireIdTokenVerification: true,
})
