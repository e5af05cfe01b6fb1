import { availableParallelism } from 'node:os'
import { readMailServer } from './config/mail.ts'
import { readOidc } from './config/oidc.ts'
import {
  type Environment,
  listMisspellings,
  type Misspelling,
  readVariables,
  type ValuesOf,
} from './config/read-variables.ts'
import { VARIABLES } from './config/variables.ts'
import type { UploadLimits } from './features/import/upload.routes.ts'
import type { LiveLimits } from './features/live/live-server.ts'
import type { MailServer } from './features/mail/smtp.ts'
import type { OidcConfig } from './features/sign-in/open-id-provider.ts'
import type { ComputeServer } from './features/solves/compute/post.ts'
import type { AllowedTargets } from './features/webhooks/target.ts'
import type { AdmissionLimits, QuotaLimits } from './http/admission.ts'
import type { ConnectionLimits } from './http/connection/connections.ts'
import type { TransportPolicy } from './http/responses/security-headers.ts'
import { type BlobsLocation, blobsIn, readBlobsLocation, s3AccessIn } from './platform/blobs/open-blobs.ts'
import type { S3Access, S3Keys } from './platform/blobs/s3/location.ts'
import { toPoolLimits } from './platform/processes/pool-limits.ts'
import { readTelemetrySettings, type TelemetrySettings } from './platform/telemetry/telemetry.ts'

/** The configuration from the environment. Times in milliseconds, sizes in bytes. */
export interface Config {
  /** An absolute path. */
  readonly dataDir: string
  readonly blobsLocation: BlobsLocation
  /** The access to S3 with which `readBlobsLocation` reads the location of another store. */
  readonly s3Access: S3Access
  readonly redirectsDownloads: boolean
  /** The access to S3 for backups. */
  readonly backupAccess: S3Access
  readonly databaseUrl: string | undefined
  /** The address of the database past a connection pooler. */
  readonly databaseDirectUrl: string | undefined
  /** The maximum number of connections to PostgreSQL. */
  readonly databaseConnections: number
  readonly host: string
  readonly port: number
  /** The port for monitoring alone; undefined when `/metrics` is served at `port`. */
  readonly metricsPort: number | undefined
  /** The address of that port. */
  readonly metricsHost: string
  readonly metricsToken: string | undefined
  /** Traces and metrics for OpenTelemetry; undefined: none. */
  readonly telemetry: TelemetrySettings | undefined
  /** The address of the service, without a closing slash. */
  readonly baseUrl: string | undefined
  /** The configured secret; if it is undefined, one is generated when it is first needed. */
  readonly sessionSecret: string | undefined
  readonly trustedProxies: readonly string[]
  readonly hsts: TransportPolicy
  readonly oidc: OidcConfig | undefined
  /** Undefined when no mails are sent. */
  readonly mail: MailServer | undefined
  /** The targets that webhooks may have beside public addresses. */
  readonly webhooks: AllowedTargets
  readonly oauth: {
    /** Where documents of programs may be beside public addresses. */
    readonly clients: AllowedTargets
    /** The address of MCP over HTTP for this service, without a closing slash. */
    readonly mcpUrl: string | undefined
  }
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** Requests per minute and token; undefined for no limit. */
  readonly rateLimit: number | undefined
  /** Whether responses of the API say what they took. */
  readonly sendsTiming: boolean
  /** Where people report a vulnerability; undefined for nowhere. */
  readonly securityContact: string | undefined
  readonly admission: AdmissionLimits
  readonly connections: ConnectionLimits
  /** Requests held back by `Prefer: wait`. */
  readonly maxWaits: QuotaLimits
  readonly uploads: UploadLimits
  /** The limits of child processes, except solvers. */
  readonly jobs: ReturnType<typeof toPoolLimits>
  readonly live: LiveLimits
  readonly cacheBytes: number
  readonly stopNoticeMs: number
  readonly stopGraceMs: number
  readonly solving: {
    /** How many documents are solved at once. */
    readonly workers: number
    readonly leaseMs: number
    readonly limits: { readonly timeMs: number; readonly memoryMb: number }
    /** Undefined when Meadow solves everything. */
    readonly compute: ComputeServer | undefined
  }
  readonly misspellings: readonly Misspelling[]
}

/** The configuration is invalid. The message has one sentence per mistake, each on a line of its own. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the environment once. Throws a {@link ConfigError} with all mistakes. */
export function readConfig(env: Environment): Config {
  const { values, mistakes } = readVariables(VARIABLES, env)
  const oidc = readOidc(values, mistakes)
  const mail = readMailServer(values, mistakes)
  const compute = readComputeServer(values, mistakes)
  const s3Keys = readS3Keys(values, mistakes)
  const backupKeys = readBackupKeys(values, mistakes)
  const telemetry = readTelemetrySettings(env, mistakes)
  if (values.MEADOW_METRICS_HOST !== undefined && values.MEADOW_METRICS_PORT === undefined)
    mistakes.push('MEADOW_METRICS_PORT must be set, since MEADOW_METRICS_HOST is.')
  if (mistakes.length > 0) throw new ConfigError(['The configuration is not usable.', ...mistakes].join('\n'))
  const s3Access = s3AccessIn(values.MEADOW_DATA_DIR, s3Keys, values.NODE_EXTRA_CA_CERTS)
  return Object.freeze({
    dataDir: values.MEADOW_DATA_DIR,
    blobsLocation:
      values.MEADOW_BLOBS === undefined
        ? blobsIn(values.MEADOW_DATA_DIR)
        : readBlobsLocation(values.MEADOW_BLOBS, s3Access)!,
    s3Access,
    redirectsDownloads: values.MEADOW_BLOBS_REDIRECT === 'on',
    backupAccess: backupKeys ? { ...s3Access, keys: backupKeys } : s3Access,
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databaseConnections: values.MEADOW_DATABASE_CONNECTIONS,
    host: values.MEADOW_HOST,
    port: values.MEADOW_PORT,
    metricsPort: values.MEADOW_METRICS_PORT,
    metricsHost: values.MEADOW_METRICS_HOST ?? values.MEADOW_HOST,
    metricsToken: values.MEADOW_METRICS_TOKEN,
    telemetry,
    baseUrl: values.MEADOW_BASE_URL,
    sessionSecret: values.MEADOW_SESSION_SECRET,
    trustedProxies: values.MEADOW_TRUSTED_PROXIES ?? [],
    hsts: values.MEADOW_HSTS,
    oidc,
    mail,
    webhooks: values.MEADOW_WEBHOOKS_ALLOW ?? { networks: [], hosts: [] },
    oauth: {
      clients: values.MEADOW_OAUTH_ALLOW ?? { networks: [], hosts: [] },
      mcpUrl: values.MEADOW_MCP_URL,
    },
    logLevel: values.MEADOW_LOG_LEVEL,
    rateLimit: values.MEADOW_RATE_LIMIT,
    sendsTiming: values.MEADOW_SERVER_TIMING === 'on',
    securityContact: values.MEADOW_SECURITY_CONTACT,
    admission: {
      requests: values.MEADOW_MAX_REQUESTS,
      queued: values.MEADOW_MAX_QUEUED,
      queueMs: values.MEADOW_MAX_QUEUE_SECONDS * 1000,
      responseMb: values.MEADOW_MAX_ANSWER_MB,
      responseMbPerSecond: values.MEADOW_MAX_ANSWER_MB_PER_SECOND,
      openFiles: values.MEADOW_MAX_OPEN_FILES,
    },
    connections: { connections: values.MEADOW_MAX_CONNECTIONS, pipelined: values.MEADOW_MAX_PIPELINED },
    maxWaits: values.MEADOW_MAX_WAITS,
    uploads: {
      atOnce: values.MEADOW_MAX_UPLOADS,
      queued: values.MEADOW_MAX_QUEUED_UPLOADS,
      queueMs: values.MEADOW_MAX_UPLOAD_QUEUE_SECONDS * 1000,
    },
    jobs: toPoolLimits({
      processes: values.MEADOW_JOB_PROCESSES,
      memoryMb: values.MEADOW_JOB_MEMORY_MB,
      seconds: values.MEADOW_JOB_SECONDS,
      queued: values.MEADOW_MAX_QUEUED_JOBS,
      queueSeconds: values.MEADOW_MAX_JOB_QUEUE_SECONDS,
    }),
    live: {
      sockets: values.MEADOW_MAX_SOCKETS,
      waitingMb: values.MEADOW_MAX_LIVE_MB,
      messages: values.MEADOW_MAX_LIVE_MESSAGES,
      inputMb: values.MEADOW_MAX_LIVE_INPUT_MB,
    },
    cacheBytes: values.MEADOW_CACHE_MB * 2 ** 20,
    stopNoticeMs: values.MEADOW_STOP_NOTICE_SECONDS * 1000,
    stopGraceMs: values.MEADOW_STOP_GRACE_SECONDS * 1000,
    solving: {
      workers: values.MEADOW_SOLVE_WORKERS ?? Math.max(2, availableParallelism() - 1),
      leaseMs: values.MEADOW_SOLVE_LEASE_SECONDS * 1000,
      limits: { timeMs: values.MEADOW_SOLVE_SECONDS * 1000, memoryMb: values.MEADOW_SOLVE_MEMORY_MB },
      compute,
    },
    misspellings: listMisspellings(VARIABLES, env),
  })
}

/** The variables of a Rhino.Compute server: a key alone is a mistake. */
function readComputeServer(
  values: Pick<
    ValuesOf<typeof VARIABLES>,
    'MEADOW_COMPUTE_URL' | 'MEADOW_COMPUTE_KEY' | 'MEADOW_COMPUTE_UNITS'
  >,
  mistakes: string[],
): ComputeServer | undefined {
  const { MEADOW_COMPUTE_URL: url, MEADOW_COMPUTE_KEY: key, MEADOW_COMPUTE_UNITS: units } = values
  if (url !== undefined) return { url, key, units }
  if (key !== undefined) mistakes.push('MEADOW_COMPUTE_URL must be set, since MEADOW_COMPUTE_KEY is.')
  return undefined
}

/** The keys to a bucket: both parts of a key or none. */
function readS3Keys(
  values: Pick<
    ValuesOf<typeof VARIABLES>,
    'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'AWS_SESSION_TOKEN'
  >,
  mistakes: string[],
): S3Keys | undefined {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = values
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
  }
  if (accessKeyId !== undefined)
    mistakes.push('AWS_SECRET_ACCESS_KEY must be set, since AWS_ACCESS_KEY_ID is.')
  if (secretAccessKey !== undefined)
    mistakes.push('AWS_ACCESS_KEY_ID must be set, since AWS_SECRET_ACCESS_KEY is.')
  return undefined
}

/** The variables of other keys for backups. */
function readBackupKeys(
  values: Pick<ValuesOf<typeof VARIABLES>, 'MEADOW_BACKUP_ACCESS_KEY_ID' | 'MEADOW_BACKUP_SECRET_ACCESS_KEY'>,
  mistakes: string[],
): S3Keys | undefined {
  const { MEADOW_BACKUP_ACCESS_KEY_ID: accessKeyId, MEADOW_BACKUP_SECRET_ACCESS_KEY: secretAccessKey } =
    values
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey }
  if (accessKeyId !== undefined || secretAccessKey !== undefined)
    mistakes.push('MEADOW_BACKUP_ACCESS_KEY_ID and MEADOW_BACKUP_SECRET_ACCESS_KEY must be set together.')
  return undefined
}
