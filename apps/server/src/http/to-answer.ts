import type { FastifyReply } from 'fastify'
import { Refusal, refuse } from './refusal.ts'

export interface FailedAnswer {
  refusal: Refusal
  /** `{ "error": sentence }` and nothing else (decision 9). */
  body: string
}

/** The one place where whatever was thrown becomes a response. The message of a bug stays inside. */
export function toAnswer(error: unknown): FailedAnswer {
  const refusal = error instanceof Refusal ? error : refuse('internal', { cause: error })
  return { refusal, body: JSON.stringify({ error: refusal.sentence }) }
}

export const sendFailure = (reply: FastifyReply, { refusal, body }: FailedAnswer): FastifyReply =>
  reply
    .code(refusal.status)
    .headers(refusal.headers)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'Authorization, Accept-Encoding')
    .type('application/json; charset=utf-8')
    .send(body)
