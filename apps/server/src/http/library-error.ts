import type { ApiErrorCode } from '@meadow/contract'
import { SemaphoreFullError } from '../platform/concurrency/fair-semaphore.ts'
import { HttpError } from './http-error.ts'

/** What Fastify and its plugins refuse, by the status that they give it. */
const CODES: Record<number, ApiErrorCode> = {
  // The file server's word for names that no file can have, or that would lead out of its folder.
  403: 'page_not_found',
  404: 'page_not_found',
  412: 'precondition_failed',
  413: 'body_too_large',
  415: 'media_type_not_accepted',
  416: 'range_not_satisfiable',
}

/** An error of Fastify (`FST_…`), or of the `http-errors` package that its file server uses. */
interface LibraryError {
  statusCode: number
  headers?: Record<string, string>
}

/** How soon a caller may find room, in seconds. */
const RETRY_AFTER = '5'

/**
 * The refusal that an error of Fastify, of one of its plugins or of a full queue stands for; undefined for all else, a
 * bug of ours whatever properties it has.
 */
export function findLibraryError(error: unknown): HttpError | undefined {
  if (error instanceof SemaphoreFullError)
    return new HttpError(error.level === 0 ? 'overloaded' : 'share_exceeded', {
      cause: error,
      headers: { 'retry-after': RETRY_AFTER },
    })
  if (!isLibraryError(error) || error.statusCode < 400 || error.statusCode > 499) return undefined
  const code = CODES[error.statusCode] ?? 'request_not_acceptable'
  return new HttpError(code, { cause: error, headers: error.headers ?? {} })
}

const isLibraryError = (error: unknown): error is LibraryError =>
  error instanceof Error &&
  'statusCode' in error &&
  typeof error.statusCode === 'number' &&
  (('code' in error && String(error.code).startsWith('FST_')) || 'expose' in error)
