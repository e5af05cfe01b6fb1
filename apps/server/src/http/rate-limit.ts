import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { HttpError } from './http-error.ts'

/**
 * So many requests a minute for each token (decision 11), with the `RateLimit` headers of the IETF draft.
 * The count is kept in this process.
 */
export async function limitRate(api: FastifyInstance, requestsPerMinute: number): Promise<void> {
  await api.register(rateLimit, {
    global: false,
    max: requestsPerMinute,
    timeWindow: '1 minute',
    enableDraftSpec: true,
    cache: 10_000,
    keyGenerator: (request) => request.reader?.tokenId ?? '',
    errorResponseBuilder: () => new HttpError('too_many_requests'),
  })
  api.addHook('onRequest', api.rateLimit())
}
