import { type IncomingMessage, METHODS, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { APP_PREFIX } from '@meadow/contract/web'
import { context } from '@opentelemetry/api'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { carriesToken } from '../access/tokens.ts'
import type { Log } from '../platform/log.ts'
import { ClientDisconnected } from './abort-signal.ts'
import { type Admission, anonymousOwner, type RequestShare, type ShareOwner } from './admission.ts'
import type { FastPathCache } from './api/response-cache.ts'
import { isHost, isUnderPrefix, normalizeAddress, pathOf } from './connection/address.ts'
import { createConnectionErrorHandler } from './connection/connection-errors.ts'
import { type ConnectionLimits, type Connections, trackConnections } from './connection/connections.ts'
import { HttpError, sendError, toErrorResponse } from './http-error.ts'
import type { Metrics } from './metrics.ts'
import { logRequests, readRequestId } from './request-log.ts'
import { createRequestTracing } from './trace-requests.ts'

/** Errors whose cause is logged, since the operator has to know it. */
const LOGGED_ERRORS: ReadonlySet<string> = new Set(['internal', 'database_unavailable'])

/** Long addresses are allowed, since an id is any string that an address can hold (decision 5). */
const MAX_HEADER_BYTES = 64 * 1024

/** A connection without any traffic is closed after this time, which is longer than a response is ever held back. */
const STALLED_AFTER_MS = 120_000

/** Enough for a large file over a slow line; a stalled upload is cut off long before. */
const LONGEST_UPLOAD_MS = 60 * 60 * 1000

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the server is stopped. */
    stopping: AbortSignal
    connections: Connections
  }
  interface FastifyRequest {
    /** The request's share of the service. */
    share: RequestShare
  }
}

/** Paths that no limit applies to: monitoring has to work when nothing else does (decision 37). */
const EXEMPT = new Set(['/healthz', '/readyz'])

export interface HttpServerParts {
  log: Log
  metrics: Metrics
  fastPathCache: FastPathCache
  admission: Admission
}

export interface HttpServerOptions {
  /** The path of the public address, which a proxy in front may leave in place, or an empty string. */
  publicPath?: string
  /** How long requests are still answered after the server begins to stop. */
  stopNoticeMs?: number
  connectionLimits?: ConnectionLimits
  /** The session that a request for a page or a file counts against; undefined: it counts against its address. */
  findShareOwner?: (request: FastifyRequest) => ShareOwner | undefined
  /** Whether an upgrade request becomes a socket; all others are answered as if they had no upgrade header. */
  takesUpgrade?: (request: IncomingMessage) => boolean
  /** The proxies in front whose `X-Forwarded-For` is trusted: addresses, and ranges such as `10.0.0.0/8`. */
  trustedProxies?: readonly string[]
  /** Responds to a missing path with a page; returns false for requests that do not accept HTML. */
  sendUnknownPage?: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/** A Fastify instance with what every response has: request id, error body, log line, metrics. */
export function createHttpServer(
  { log, metrics, fastPathCache, admission }: HttpServerParts,
  {
    publicPath = '',
    stopNoticeMs = 0,
    connectionLimits = { connections: Number.POSITIVE_INFINITY, pipelined: Number.POSITIVE_INFINITY },
    findShareOwner = () => undefined,
    takesUpgrade = () => false,
    sendUnknownPage,
    trustedProxies = [],
  }: HttpServerOptions = {},
): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: readRequestId,
    requestIdHeader: false,
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: MAX_HEADER_BYTES,
      // Most responses are cached bytes, for which the query is not parsed.
      querystringParser: (query) => query as never,
    },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      // Checked in checkRequest, whose error has a body.
      requireHostHeader: false,
      // A header that is sent twice then has a value that no check accepts, instead of the first of the two.
      joinDuplicateHeaders: true,
      headersTimeout: 60_000,
      shouldUpgradeCallback: takesUpgrade,
    },
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestTimeout: LONGEST_UPLOAD_MS,
    keepAliveTimeout: 75_000,
    connectionTimeout: STALLED_AFTER_MS,
    clientErrorHandler: (error, socket) => connectionErrors.handleUnreadable(error, socket),
  })
  const { server } = app
  // Headers are limited by their size. Node would silently drop those beyond this number.
  server.maxHeadersCount = 0
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  app.decorateRequest('principal', undefined)
  app.decorateRequest('errorCode', undefined)
  app.decorateRequest('commitCounter', undefined)
  app.decorateRequest('share', undefined as never)

  const stopping = new AbortController()
  const connections = trackConnections(server, connectionLimits)
  const connectionErrors = createConnectionErrorHandler(connections, { log, metrics })
  app.decorate('stopping', stopping.signal)
  app.decorate('connections', connections)
  app.addHook('preClose', async () => {
    stopping.abort()
    await connections.drain(stopNoticeMs)
  })

  const [handle] = server.listeners('request') as RequestListener[]
  const traceRequest = createRequestTracing(trustedProxies)
  const onRequest: RequestListener = (request, response) => {
    if (connections.isClosing(request.socket)) return
    traceRequest(request, response, () => respond(request, response))
  }
  const respond: RequestListener = (request, response) => {
    if (!stopping.signal.aborted && fastPathCache.respond(request, response)) return
    // It may be called at the end of the request before, whose trace it is not a part of.
    const handleNow = context.bind(context.active(), () => {
      normalizeAddress(request, publicPath)
      handle!(request, response)
    })
    // Node's parser takes what follows an upgrade request for the other protocol, and cannot read it as HTTP any more.
    if (request.headers.upgrade !== undefined) connections.handleAsLast(response, handleNow)
    else connections.handleInOrder(response, handleNow)
  }
  server.removeAllListeners('request')
  server.on('request', onRequest)
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', onRequest)
  server.on('connect', (request, socket) => connectionErrors.handleConnect(request, socket as Socket))

  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    request.share = admission.openShare(request, reply)
    const error = checkRequest(request)
    if (error || hasOwnAdmission(request)) return next(error)
    request.share.admit(findShareOwner(request) ?? anonymousOwner(request)).then(() => next(), next)
  })
  logRequests(app, log, metrics)
  app.setErrorHandler((error, request, reply) => {
    // The response cannot be sent; the status is for the log.
    if (error instanceof ClientDisconnected) return reply.code(CLIENT_CLOSED_REQUEST).send()
    const response = toErrorResponse(error)
    request.errorCode = response.error.code
    // The log itself limits lines about an outage to one a minute.
    if (LOGGED_ERRORS.has(response.error.code))
      log.error({ requestId: request.id, err: error }, 'request failed')
    if (response.error.code === 'page_not_found' && sendUnknownPage?.(request, reply)) return reply
    return sendError(reply, response)
  })
  app.setNotFoundHandler(() => {
    throw new HttpError('page_not_found')
  })
  return app
}

/** nginx's status for a client that disconnected before it had a response. */
const CLIENT_CLOSED_REQUEST = 499

/** The API and the app API admit a request themselves, once they have looked up the token or session. */
const hasOwnAdmission = ({ url }: FastifyRequest): boolean =>
  isUnderPrefix(url) || isUnderPrefix(url, APP_PREFIX) || EXEMPT.has(pathOf(url))

/** Checks the host of a request and, outside the API's prefix, its token and method. */
function checkRequest({ url, method, raw, is404, server }: FastifyRequest): HttpError | undefined {
  const { host, authorization } = raw.headers
  if (host === undefined ? raw.httpVersion !== '1.0' : !isHost(host)) return new HttpError('host_not_valid')
  if (isUnderPrefix(url)) return undefined
  if (carriesToken(authorization)) return new HttpError('token_outside_the_api')
  if (!is404 || method === 'GET' || method === 'HEAD') return undefined
  // Decided before the body is read.
  const allowed = server.supportedMethods.filter((known) =>
    server.hasRoute({ method: known, url: pathOf(url) }),
  )
  if (allowed.length === 0) return new HttpError('page_not_found')
  const allow = allowed.join(', ')
  return new HttpError('method_not_allowed', {
    headers: { allow },
    sentence: `This address takes ${allow} only.`,
  })
}
