import { availableParallelism } from 'node:os'
import {
  address,
  directory,
  longText,
  networks,
  oneOf,
  port,
  postgresAddress,
  webAddress,
  wholeNumber,
} from './config/kinds.ts'
import { type Environment, readVariables, type ValuesOf, type Variable } from './config/read-variables.ts'
import type { OidcConfig } from './features/sign-in/auth.ts'

/** Every variable that the server and its command read; `docs/configuration.md` and `--help` show this table. */
export const VARIABLES = {
  MEADOW_DATA_DIR: {
    is: directory,
    default: './data',
    says: 'Where the embedded database and the files are kept. Made when it is not there.',
  },
  DATABASE_URL: {
    is: postgresAddress,
    secret: true,
    says: 'The PostgreSQL database to use in place of the embedded one. Files stay in MEADOW_DATA_DIR.',
  },
  MEADOW_HOST: {
    is: address,
    default: '127.0.0.1',
    says: 'The address to listen on. 0.0.0.0 makes the server reachable from other machines.',
  },
  MEADOW_PORT: { is: port, default: '4000', says: 'The port to listen on; 0 picks a free one.' },
  MEADOW_BASE_URL: {
    is: webAddress,
    says:
      'The address under which clients reach the server, with its path where a proxy gives it one, whether the proxy ' +
      'takes the path away or leaves it. When not set, the address that a request comes to.',
  },
  MEADOW_SESSION_SECRET: {
    is: longText(32),
    secret: true,
    says:
      'What the cookies of signed-in people are signed with; the same for all servers on one database. When not set, ' +
      'one is made in MEADOW_DATA_DIR. Another one signs everybody out.',
  },
  MEADOW_OIDC_ISSUER: {
    is: webAddress,
    says:
      'The OpenID provider that people can sign in through, as its configuration names it. Needs MEADOW_BASE_URL; the ' +
      'provider has to know that address with /app/v1/auth/callback/oidc behind it, and to vouch for e-mail addresses ' +
      '(`email_verified`).',
  },
  MEADOW_OIDC_CLIENT_ID: { is: longText(1), says: 'What the OpenID provider calls this service.' },
  MEADOW_OIDC_CLIENT_SECRET: {
    is: longText(1),
    secret: true,
    says: 'What this service proves itself with to the OpenID provider; not needed where it is a public client.',
  },
  MEADOW_OIDC_NAME: {
    is: longText(1),
    default: 'single sign-on',
    says: 'What people know the OpenID provider as: the button reads "Continue with …".',
  },
  MEADOW_TRUSTED_PROXIES: {
    is: networks,
    says:
      'The proxies in front of the server, separated by commas: addresses, or networks such as 10.0.0.0/8. They tell in ' +
      'X-Forwarded-For where a request comes from, by which failures to sign in are counted.',
  },
  MEADOW_LOG_LEVEL: {
    is: oneOf('debug', 'info', 'warn', 'error'),
    default: 'info',
    says: 'What is logged: this level and all more serious ones.',
  },
  MEADOW_RATE_LIMIT: {
    is: wholeNumber(1, 1_000_000),
    says: 'How many requests a minute each API token may make. When not set, there is no limit.',
  },
  MEADOW_CACHE_MB: {
    is: wholeNumber(0, 65_536),
    default: '64',
    says: 'How many megabytes of finished answers are kept in memory.',
  },
  MEADOW_STOP_NOTICE_SECONDS: {
    is: wholeNumber(0, 3600),
    default: '1',
    says:
      'For how many seconds the server goes on answering when it is told to stop, while `/readyz` answers 503, so ' +
      'that a load balancer can turn to another one.',
  },
  MEADOW_STOP_GRACE_SECONDS: {
    is: wholeNumber(0, 3600),
    default: '25',
    says:
      'After how many seconds the server has stopped when it is told to: what still runs then, requests or solves, ' +
      'is cut off.',
  },
  MEADOW_SOLVE_WORKERS: {
    is: wholeNumber(0, 256),
    says:
      'How many documents this process solves at once. When not set, one less than the machine has processors, but ' +
      'one at least; 0 leaves solving to `meadow-server work`.',
  },
  MEADOW_SOLVE_SECONDS: {
    is: wholeNumber(1, 3600),
    default: '60',
    says: 'How many seconds a solve may take, and so how many credits it may cost.',
  },
  MEADOW_SOLVE_MEMORY_MB: {
    is: wholeNumber(16, 65_536),
    default: '1024',
    says: 'How many megabytes of memory the values of a solve may take.',
  },
  MEADOW_SOLVE_LEASE_SECONDS: {
    is: wholeNumber(1, 3600),
    default: '30',
    says: 'After how many seconds without a sign of life from its solver a solve is taken over by another one.',
  },
} as const satisfies Record<string, Variable>

/** What the environment says. Times in milliseconds, sizes in bytes. */
export interface Config {
  /** Absolute. */
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly host: string
  readonly port: number
  /** Without a closing slash. */
  readonly baseUrl: string | undefined
  /** Undefined: one that is made when it is first needed. */
  readonly sessionSecret: string | undefined
  readonly trustedProxies: readonly string[]
  readonly oidc: OidcConfig | undefined
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** Requests a minute and token; undefined for no limit. */
  readonly rateLimit: number | undefined
  readonly cacheBytes: number
  readonly stopNoticeMs: number
  readonly stopGraceMs: number
  readonly solving: {
    /** How many documents are solved at once. */
    readonly workers: number
    readonly leaseMs: number
    readonly limits: { readonly timeMs: number; readonly memoryMb: number }
  }
}

/** The configuration is not usable. The message has one sentence per mistake, each on a line of its own. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the environment once. Fails with a {@link ConfigError} that tells all mistakes. */
export function readConfig(env: Environment): Config {
  const { values, mistakes } = readVariables(VARIABLES, env)
  const oidc = readOidc(values, mistakes)
  if (mistakes.length > 0) throw new ConfigError(['The configuration is not usable.', ...mistakes].join('\n'))
  return Object.freeze({
    dataDir: values.MEADOW_DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    host: values.MEADOW_HOST,
    port: values.MEADOW_PORT,
    baseUrl: values.MEADOW_BASE_URL,
    sessionSecret: values.MEADOW_SESSION_SECRET,
    trustedProxies: values.MEADOW_TRUSTED_PROXIES ?? [],
    oidc,
    logLevel: values.MEADOW_LOG_LEVEL,
    rateLimit: values.MEADOW_RATE_LIMIT,
    cacheBytes: values.MEADOW_CACHE_MB * 2 ** 20,
    stopNoticeMs: values.MEADOW_STOP_NOTICE_SECONDS * 1000,
    stopGraceMs: values.MEADOW_STOP_GRACE_SECONDS * 1000,
    solving: {
      workers: values.MEADOW_SOLVE_WORKERS ?? Math.max(1, availableParallelism() - 1),
      leaseMs: values.MEADOW_SOLVE_LEASE_SECONDS * 1000,
      limits: { timeMs: values.MEADOW_SOLVE_SECONDS * 1000, memoryMb: values.MEADOW_SOLVE_MEMORY_MB },
    },
  })
}

/** All of an OpenID provider, or nothing; what is missing is a mistake. */
function readOidc(
  values: Pick<
    ValuesOf<typeof VARIABLES>,
    | 'MEADOW_BASE_URL'
    | 'MEADOW_OIDC_ISSUER'
    | 'MEADOW_OIDC_CLIENT_ID'
    | 'MEADOW_OIDC_CLIENT_SECRET'
    | 'MEADOW_OIDC_NAME'
  >,
  mistakes: string[],
): OidcConfig | undefined {
  const { MEADOW_OIDC_ISSUER: issuer, MEADOW_OIDC_CLIENT_ID: clientId, MEADOW_BASE_URL: baseUrl } = values
  if (issuer === undefined && clientId === undefined) return undefined
  const missing = (name: string, because: string) =>
    mistakes.push(`${name} must be set, since ${because} is.`)
  if (issuer === undefined) missing('MEADOW_OIDC_ISSUER', 'MEADOW_OIDC_CLIENT_ID')
  if (clientId === undefined) missing('MEADOW_OIDC_CLIENT_ID', 'MEADOW_OIDC_ISSUER')
  if (baseUrl === undefined) missing('MEADOW_BASE_URL', 'MEADOW_OIDC_ISSUER')
  if (issuer === undefined || clientId === undefined) return undefined
  return { issuer, clientId, clientSecret: values.MEADOW_OIDC_CLIENT_SECRET, name: values.MEADOW_OIDC_NAME }
}
