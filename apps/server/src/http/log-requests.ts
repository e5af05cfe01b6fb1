import type { FastifyInstance } from 'fastify'
import type { Log } from '../platform/log.ts'
import { pathOf } from './address.ts'
import type { Metrics } from './metrics.ts'

/** A line of the log, and a count, for every request that was answered. */
export function logRequests(app: FastifyInstance, log: Log, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, next) => {
    const { url: route = 'none', config } = request.routeOptions
    const durationMs = reply.elapsedTime
    metrics.observeRequest(route, reply.statusCode, durationMs)
    if (request.refusalCode) metrics.observeRefusal(request.refusalCode)
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        // A refused address may hold anything, a pasted token for one.
        ...(reply.statusCode < 400 && !config.isSecret && { path: pathOf(request.url) }),
        status: reply.statusCode,
        durationMs: Math.round(durationMs * 100) / 100,
        ...(request.reader && { team: request.reader.teamId, token: request.reader.tokenId }),
        ...(request.caller?.person && { user: request.caller.person.userId }),
        ...(request.refusalCode && { refusal: request.refusalCode }),
      },
      'request',
    )
    next()
  })
}
