import type { FastifyReply } from 'fastify'
import { findUnavailable } from '../platform/database/unavailable.ts'
import { HttpError } from './http-error.ts'
import { findLibraryError } from './library-error.ts'

export interface ErrorResponse {
  error: HttpError
  /** `{ "error": sentence }` and nothing else (decision 9). */
  body: string
}

/** What every answer with an `error` carries (decision 10). */
export const COMMON_HEADERS = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept-Encoding',
  'content-type': 'application/json; charset=utf-8',
}

/** What the 405 of every kind carries (decision 6). */
export const READ_ONLY = { headers: { allow: 'GET, HEAD' } }

/** In seconds: about what it takes to be there again once the database is. */
const RETRY_AFTER = '5'
const UNWRITABLE = 'Nothing can be stored at the moment. Try again shortly.'

/** The one place where whatever was thrown becomes a response. The message of a bug stays inside. */
export function toErrorResponse(thrown: unknown): ErrorResponse {
  const error =
    thrown instanceof HttpError
      ? thrown
      : (findOutage(thrown) ?? findLibraryError(thrown) ?? new HttpError('internal', { cause: thrown }))
  return { error, body: JSON.stringify({ error: error.sentence }) }
}

/** What callers are told when it is the database's doing; why exactly is for the operator. */
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

export const sendFailure = (reply: FastifyReply, { error, body }: ErrorResponse): FastifyReply =>
  reply.code(error.status).headers(error.headers).headers(COMMON_HEADERS).send(body)
