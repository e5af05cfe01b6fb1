import type { FastifyReply } from 'fastify'
import { findUnavailable } from '../platform/database/unavailable.ts'
import { findLibraryRefusal } from './library-refusal.ts'
import { Refusal, refuse } from './refusal.ts'

export interface FailedAnswer {
  refusal: Refusal
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
export function toAnswer(error: unknown): FailedAnswer {
  const refusal =
    error instanceof Refusal
      ? error
      : (findOutage(error) ?? findLibraryRefusal(error) ?? refuse('internal', { cause: error }))
  return { refusal, body: JSON.stringify({ error: refusal.sentence }) }
}

/** What callers are told when it is the database's doing; why exactly is for the operator. */
function findOutage(cause: unknown): Refusal | undefined {
  const unavailable = findUnavailable(cause)
  return (
    unavailable &&
    refuse('database_unavailable', {
      cause,
      headers: { 'retry-after': RETRY_AFTER },
      ...(unavailable.kind === 'unwritable' && { sentence: UNWRITABLE }),
    })
  )
}

export const sendFailure = (reply: FastifyReply, { refusal, body }: FailedAnswer): FastifyReply =>
  reply.code(refusal.status).headers(refusal.headers).headers(COMMON_HEADERS).send(body)
