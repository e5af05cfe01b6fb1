import { METHODS, type RequestListener } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Log } from '../platform/log.ts'
import { decodablePath, isUnderPrefix, pathOf } from './address.ts'
import { carriesToken } from './authenticate.ts'
import { refuseUnreadable } from './client-errors.ts'
import { watchConnections } from './connections.ts'
import type { Metrics } from './metrics.ts'
import type { ReadyAnswers } from './ready-answers.ts'
import { refuse } from './refusal.ts'
import { requestId } from './request-id.ts'
import { sendFailure, toAnswer } from './to-answer.ts'

/** Long addresses are allowed, since an id is any string that an address can hold (decision 5). */
const MAX_HEADER_BYTES = 64 * 1024

/** A Fastify instance with what is true of every answer: request id, error body, log line, metrics. */
export function createHttpServer(log: Log, metrics: Metrics, readyAnswers: ReadyAnswers): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: MAX_HEADER_BYTES,
      // Most answers are kept bytes, for which nobody looks at the query.
      querystringParser: (query) => query as never,
    },
    rewriteUrl: (request) => decodablePath(request.url ?? '/'),
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    requestTimeout: 60_000,
    keepAliveTimeout: 75_000,
    clientErrorHandler: refuseUnreadable,
  })
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  app.decorateRequest('reader', undefined)
  app.decorateRequest('refusalCode', undefined)
  app.decorateRequest('mark', undefined)

  const stopping = new AbortController()
  app.decorate('stopping', stopping.signal)
  const [handle] = app.server.listeners('request') as RequestListener[]
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    if (stopping.signal.aborted || !readyAnswers.answer(request, response)) handle!(request, response)
  })
  const connections = watchConnections(app.server)
  app.addHook('preClose', async () => {
    stopping.abort()
    await connections.finishAnswers()
  })
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    if (stopping.signal.aborted)
      next(refuse('stopping', { headers: { connection: 'close', 'retry-after': '5' } }))
    else if (!isUnderPrefix(request.url) && carriesToken(request.headers.authorization)) {
      next(refuse('token_outside_the_api'))
    } else next()
  })
  app.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'none'
    const durationMs = reply.elapsedTime
    metrics.observeRequest(route, reply.statusCode, durationMs)
    if (request.refusalCode) metrics.observeRefusal(request.refusalCode)
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        // A refused address may hold anything, a pasted token for one.
        ...(reply.statusCode < 400 && { path: pathOf(request.url) }),
        status: reply.statusCode,
        durationMs: Math.round(durationMs * 100) / 100,
        ...(request.reader && { team: request.reader.teamId, token: request.reader.tokenId }),
        ...(request.refusalCode && { refusal: request.refusalCode }),
      },
      'request',
    )
    next()
  })
  app.setErrorHandler((error, request, reply) => {
    const answer = toAnswer(error)
    request.refusalCode = answer.refusal.code
    if (answer.refusal.code === 'internal') log.error({ requestId: request.id, err: error }, 'request failed')
    return sendFailure(reply, answer)
  })
  app.setNotFoundHandler(() => {
    throw refuse('page_not_found')
  })
  return app
}
