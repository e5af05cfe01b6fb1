import type { ApiErrorCode } from '@meadow/contract'
import { APP_ERRORS, type AppErrorCode } from '@meadow/contract/web/terms'
import { isKilled } from '@meadow/processes'
import { SemaphoreFullError } from '../platform/concurrency/fair-semaphore.ts'
import { findUnavailable } from '../platform/database/unavailable.ts'
import type { Log } from '../platform/log.ts'
import { CACHE_HEADERS, type Call, writeHead } from './call.ts'

/** An error that is reported to the caller. Any other error that is thrown is a bug and becomes `internal`. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly code: AppErrorCode
  readonly status: number
  readonly sentence: string
  /** Headers that the response must carry, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: AppErrorCode, options: HttpErrorOptions = {}) {
    const { sentence = APP_ERRORS[code].sentence, headers = {} } = options
    super(sentence, options)
    this.code = code
    this.status = APP_ERRORS[code].status
    this.sentence = sentence
    this.headers = headers
  }
}

export interface HttpErrorOptions extends ErrorOptions {
  headers?: Record<string, string>
  /** Replaces the usual sentence, where there is more to say. */
  sentence?: string
}

/** The headers of every response with an `error` (decision 10). */
export const COMMON_HEADERS = {
  ...CACHE_HEADERS,
  'content-type': 'application/json; charset=utf-8',
}

/** What every 405 of the API carries (decision 6). */
export const READ_ONLY = { headers: { allow: 'GET, HEAD' } }

/** The `Retry-After` of a 429 or 503, in seconds. */
const RETRY_AFTER = '5'
const UNWRITABLE = 'Nothing can be stored at the moment. Try again shortly.'

export interface ErrorResponse {
  error: HttpError
  /** `{ "error": sentence }` and nothing else (decision 9). */
  body: string
}

/** Turns an error into a response; nothing else does. The message of a bug is not sent. */
export function toErrorResponse(thrown: unknown): ErrorResponse {
  const error =
    thrown instanceof HttpError
      ? thrown
      : (findOutage(thrown) ??
        findFull(thrown) ??
        findKilled(thrown) ??
        findLibraryError(thrown) ??
        new HttpError('internal', { cause: thrown }))
  return { error, body: JSON.stringify({ error: error.sentence }) }
}

export function sendError(
  call: Pick<Call, 'response' | 'responseHeaders'>,
  { error, body }: ErrorResponse,
): void {
  const length = { 'content-length': Buffer.byteLength(body) }
  writeHead(call, error.status, { ...error.headers, ...COMMON_HEADERS, ...length }).end(body)
}

/** Errors whose cause is logged, since the operator has to know it. */
const LOGGED_ERRORS: ReadonlySet<string> = new Set(['internal', 'database_unavailable'])

/**
 * Logs why a request failed, if that is a fault on our side. The log itself limits lines about an outage to one a
 * minute.
 */
export function logFault(log: Log, requestId: string, { error }: ErrorResponse, thrown: unknown): void {
  if (LOGGED_ERRORS.has(error.code) || isKilled(thrown))
    log.error({ requestId, err: thrown }, 'request failed')
}

/** Returns an error when the database cannot be reached or written. The operator finds the cause in the log. */
function findOutage(cause: unknown): HttpError | undefined {
  const unavailable = findUnavailable(cause)
  return (
    unavailable &&
    new HttpError('database_unavailable', {
      cause,
      headers: { 'retry-after': RETRY_AFTER },
      ...(unavailable.kind === 'unwritable' && { sentence: UNWRITABLE }),
    })
  )
}

/** Returns an error when a limit of the process, the team or the caller was reached. */
function findFull(cause: unknown): HttpError | undefined {
  if (!(cause instanceof SemaphoreFullError)) return undefined
  return cause.level === 0
    ? createOverloaded(cause)
    : new HttpError('share_exceeded', { cause, headers: { 'retry-after': RETRY_AFTER } })
}

/** Returns an error when the process of a job was killed from outside twice, since the system has no memory left. */
const findKilled = (cause: unknown): HttpError | undefined =>
  isKilled(cause) ? createOverloaded(cause) : undefined

/** Creates the error of a request that may succeed shortly, since the process has too much to do. */
export const createOverloaded = (cause?: unknown): HttpError =>
  new HttpError('overloaded', { cause, headers: { 'retry-after': RETRY_AFTER } })

/** An error of Fastify (`FST_…`). */
interface LibraryError {
  statusCode: number
  headers?: Record<string, string>
}

const CODE_OF_STATUS: Record<number, ApiErrorCode> = {
  413: 'body_too_large',
  415: 'media_type_not_accepted',
}

/** Returns the error of a request that Fastify has rejected; undefined for anything else. */
function findLibraryError(error: unknown): HttpError | undefined {
  if (!isLibraryError(error) || error.statusCode < 400 || error.statusCode > 499) return undefined
  const code = CODE_OF_STATUS[error.statusCode] ?? 'request_not_acceptable'
  return new HttpError(code, { cause: error, headers: error.headers ?? {} })
}

const isLibraryError = (error: unknown): error is LibraryError =>
  error instanceof Error &&
  'statusCode' in error &&
  typeof error.statusCode === 'number' &&
  'code' in error &&
  String(error.code).startsWith('FST_')
