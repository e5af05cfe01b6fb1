import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../platform/log.ts'
import { pathOf } from './connection/address.ts'
import type { Metrics } from './metrics.ts'
import { describeRequest } from './trace-requests.ts'

const ACCEPTED_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/

/** The caller's own `X-Request-Id` when it is short and plain enough for a log, else a new one (decision 10). */
export function readRequestId(request: IncomingMessage): string {
  const id = request.headers['x-request-id']
  return typeof id === 'string' && ACCEPTED_ID.test(id) ? id : randomUUID()
}

/** Logs and counts every request that was answered. */
export function logRequests(app: FastifyInstance, log: Log, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, next) => {
    const { url: route = 'none', config } = request.routeOptions
    const durationMs = reply.elapsedTime
    metrics.observeRequest(route, reply.statusCode, durationMs)
    const { id: requestId, errorCode } = request
    if (errorCode) metrics.observeError(errorCode)
    const trace = describeRequest(request.raw, { route, requestId, errorCode })
    log.info(
      {
        requestId,
        method: request.method,
        route,
        // The path of a failed request may hold anything, such as a pasted token.
        ...(reply.statusCode < 400 && !config.isSecret && { path: pathOf(request.url) }),
        status: reply.statusCode,
        durationMs: Math.round(durationMs * 100) / 100,
        ...(request.principal && { team: request.principal.teamId, token: request.principal.tokenId }),
        ...(request.caller?.person && { user: request.caller.person.userId }),
        ...(errorCode && { refusal: errorCode }),
        ...(trace && { trace }),
      },
      'request',
    )
    next()
  })
}
