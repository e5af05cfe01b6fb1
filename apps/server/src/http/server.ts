import { type IncomingMessage, METHODS, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Log } from '../platform/log.ts'
import { isUnderPrefix, pathOf, readAddress } from './address.ts'
import { carriesToken } from './authenticate.ts'
import { createConnectionRefusals } from './client-errors.ts'
import { type Connections, watchConnections } from './connections.ts'
import { isHost } from './host.ts'
import { logRequests } from './log-requests.ts'
import type { Metrics } from './metrics.ts'
import type { ReadyAnswers } from './ready-answers.ts'
import { type Refusal, refuse } from './refusal.ts'
import { requestId } from './request-id.ts'
import { sendFailure, toAnswer } from './to-answer.ts'

/** Long addresses are allowed, since an id is any string that an address can hold (decision 5). */
const MAX_HEADER_BYTES = 64 * 1024

/** A connection on which nothing moves is closed, whatever it waits for; longer than the longest answer is held back. */
const STALLED_AFTER_MS = 120_000

/** What a large file takes over a slow line; one that stands still is cut off long before. */
const LONGEST_UPLOAD_MS = 60 * 60 * 1000

declare module 'fastify' {
  interface FastifyInstance {
    /** Raised when the server is told to stop. */
    stopping: AbortSignal
    connections: Connections
  }
}

export interface HttpServerOptions {
  /** The part of the public address that a proxy in front may leave in place, or nothing. */
  publicPath?: string
  /** For how long requests are still answered after the server is told to stop. */
  stopNoticeMs?: number
  /** Which requests for another protocol are to become its sockets; all others are answered as if they did not ask. */
  takesUpgrade?: (request: IncomingMessage) => boolean
  /** The proxies in front, whose word for where a request comes from is taken: addresses, and ranges as `10.0.0.0/8`. */
  trustedProxies?: readonly string[]
  /** Answers with a page where there is nothing; false for those who did not ask for a page. */
  sendUnknownPage?: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/** A Fastify instance with what is true of every answer: request id, error body, log line, metrics. */
export function createHttpServer(
  log: Log,
  metrics: Metrics,
  readyAnswers: ReadyAnswers,
  {
    publicPath = '',
    stopNoticeMs = 0,
    takesUpgrade = () => false,
    sendUnknownPage,
    trustedProxies = [],
  }: HttpServerOptions = {},
): FastifyInstance {
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
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      // Looked at here, where the answer has a body.
      requireHostHeader: false,
      // Not the first of two: what is there twice is then a value that nothing accepts.
      joinDuplicateHeaders: true,
      headersTimeout: 60_000,
      shouldUpgradeCallback: takesUpgrade,
    },
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestTimeout: LONGEST_UPLOAD_MS,
    keepAliveTimeout: 75_000,
    connectionTimeout: STALLED_AFTER_MS,
    clientErrorHandler: (error, socket) => refusals.refuseUnreadable(error, socket),
  })
  const { server } = app
  // Bounded by their size. Node leaves out what goes beyond this number, without a word.
  server.maxHeadersCount = 0
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  app.decorateRequest('reader', undefined)
  app.decorateRequest('refusalCode', undefined)
  app.decorateRequest('mark', undefined)

  const stopping = new AbortController()
  const connections = watchConnections(server)
  const refusals = createConnectionRefusals(connections, { log, metrics })
  app.decorate('stopping', stopping.signal)
  app.decorate('connections', connections)
  app.addHook('preClose', async () => {
    stopping.abort()
    await connections.finish(stopNoticeMs)
  })

  const [handle] = server.listeners('request') as RequestListener[]
  const answer: RequestListener = (request, response) => {
    if (!stopping.signal.aborted && readyAnswers.answer(request, response)) return
    connections.answer(response, () => {
      readAddress(request, publicPath)
      handle!(request, response)
    })
  }
  server.removeAllListeners('request')
  server.on('request', answer)
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', answer)
  server.on('connect', (request, socket) => refusals.refuseTunnel(request, socket as Socket))

  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    next(findFault(request))
  })
  logRequests(app, log, metrics)
  app.setErrorHandler((error, request, reply) => {
    const answer = toAnswer(error)
    request.refusalCode = answer.refusal.code
    if (answer.refusal.code === 'internal') log.error({ requestId: request.id, err: error }, 'request failed')
    if (answer.refusal.code === 'page_not_found' && sendUnknownPage?.(request, reply)) return reply
    return sendFailure(reply, answer)
  })
  // The file server comes here too.
  app.setNotFoundHandler(() => {
    throw refuse('page_not_found')
  })
  return app
}

/** What is wrong with a request wherever it goes; outside the prefix also with its method. */
function findFault({ url, method, raw, is404, server }: FastifyRequest): Refusal | undefined {
  const { host, authorization } = raw.headers
  if (host === undefined ? raw.httpVersion !== '1.0' : !isHost(host)) return refuse('host_not_valid')
  if (isUnderPrefix(url)) return undefined
  if (carriesToken(authorization)) return refuse('token_outside_the_api')
  if (!is404 || method === 'GET' || method === 'HEAD') return undefined
  // Told before anybody looks at a body.
  const allowed = server.supportedMethods.filter((known) =>
    server.hasRoute({ method: known, url: pathOf(url) }),
  )
  if (allowed.length === 0) return refuse('page_not_found')
  const allow = allowed.join(', ')
  return refuse('method_not_allowed', { headers: { allow }, sentence: `This address takes ${allow} only.` })
}
