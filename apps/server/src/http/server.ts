import {
  type IncomingMessage,
  METHODS,
  type OutgoingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { APP_PREFIX } from '@meadow/contract/web'
import { context } from '@opentelemetry/api'
import Fastify, {
  type ConnectionError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { carriesToken } from '../access/tokens.ts'
import type { Log } from '../platform/log.ts'
import { type Admission, anonymousOwner } from './admission.ts'
import { Call, type CallParts, ClientDisconnected, type QuotaOwner } from './call.ts'
import {
  createFindClientAddress,
  createProxyWarning,
  hasValidHost,
  isUnderPrefix,
  normalizeAddress,
  pathOf,
} from './connection/address.ts'
import { createConnectionErrorHandler } from './connection/connection-errors.ts'
import {
  type ConnectionLimits,
  type Connections,
  KEEP_ALIVE_SECONDS,
  trackConnections,
} from './connection/connections.ts'
import { type RepeatedRequests, watchRequests } from './connection/repeated-requests.ts'
import { HttpError, logFault, sendError, toErrorResponse } from './http-error.ts'
import { createRequestTracing, type RequestLog } from './request-log.ts'
import type { SecurityHeaders } from './responses/security-headers.ts'
import { requireAccess } from './route-access.ts'

/** Long addresses are allowed, since an id is any string that an address can hold (decision 5). */
const MAX_HEADER_BYTES = 64 * 1024

/** A connection without any traffic is closed after this time, which is longer than a response is ever held back. */
const STALLED_AFTER_MS = 120_000

/** A large file may take this long over a slow line. A stalled upload is cut off long before. */
const LONGEST_UPLOAD_MS = 60 * 60 * 1000

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the server is stopped. */
    stopping: AbortSignal
    connections: Connections
    securityHeaders: SecurityHeaders
  }
  interface FastifyRequest {
    /** The request with its response and its quota of the service. */
    call: Call
  }
  interface FastifyContextConfig {
    /** Set when the path grants access by itself, so that it is kept out of the log. */
    isSecret?: true
  }
}

/** Paths that no limit applies to: monitoring has to work when nothing else does (decision 37). */
const EXEMPT = new Set(['/healthz', '/readyz'])

/** Handles the requests under the prefix of the API, whose addresses are normalised. */
export type ApiHandler = (request: IncomingMessage, response: ServerResponse, parts: CallParts) => void

export interface HttpServerParts {
  log: Log
  requestLog: RequestLog
  admission: Admission
  /** Sends kept responses to requests that were answered before. */
  repeatedRequests: RepeatedRequests
  handleApi: ApiHandler
  /** The security headers of every response, including those of `handleApi`. */
  securityHeaders: SecurityHeaders
  /** Collects what the operator should know, in addition to the log. */
  notices?: string[] | undefined
}

export interface HttpServerOptions {
  /** The path of the public address, which a proxy in front may leave in place, or an empty string. */
  publicPath?: string
  /** How long requests are still answered after the server begins to stop. */
  stopNoticeMs?: number
  connectionLimits?: ConnectionLimits
  /** Returns the session that a request for a page or a file counts against; undefined when that is its address. */
  findQuotaOwner?: (request: FastifyRequest) => QuotaOwner | undefined
  /** Whether an upgrade request becomes a socket; all others are answered as if they had no upgrade header. */
  takesUpgrade?: (request: IncomingMessage) => boolean
  /** The proxies in front whose `X-Forwarded-For` is trusted: addresses, and ranges such as `10.0.0.0/8`. */
  trustedProxies?: readonly string[]
  /** Responds to a missing path with a page; returns false for requests that do not accept HTML. */
  sendUnknownPage?: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/** Creates a Fastify instance in which every response has a request id, an error body, a log line and metrics. */
export function createHttpServer(
  { log, requestLog, admission, repeatedRequests, handleApi, securityHeaders, notices }: HttpServerParts,
  {
    publicPath = '',
    stopNoticeMs = 0,
    connectionLimits = { connections: Number.POSITIVE_INFINITY, pipelined: Number.POSITIVE_INFINITY },
    findQuotaOwner = () => undefined,
    takesUpgrade = () => false,
    sendUnknownPage,
    trustedProxies = [],
  }: HttpServerOptions = {},
): FastifyInstance {
  /** The calls that Fastify handles. */
  const calls = new WeakMap<IncomingMessage, Call>()
  const app = createFastify({
    findId: (request) => calls.get(request)!.id,
    handleUnreadable: (error, socket) => connectionErrors.handleUnreadable(error, socket),
    ...{ takesUpgrade, trustedProxies },
  })
  const { server } = app
  // Responses that may be stored replace this `cache-control`.
  const responseHeaders = { 'cache-control': 'no-store', ...securityHeaders }
  requireAccess(app)

  const stopping = new AbortController()
  const connections = trackConnections(server, connectionLimits)
  const connectionErrors = createConnectionErrorHandler(connections, {
    ...{ log, requestLog, securityHeaders },
  })
  app.decorate('stopping', stopping.signal)
  app.decorate('connections', connections)
  app.decorate('securityHeaders', securityHeaders)
  app.addHook('preClose', async () => {
    stopping.abort()
    await connections.drain(stopNoticeMs)
  })

  const callParts: CallParts = {
    openQuota: admission.openQuota,
    findClientAddress: createFindClientAddress(trustedProxies),
    requestLog,
    stopping: stopping.signal,
  }
  const [handle] = server.listeners('request') as RequestListener[]
  const warnOfProxy = createProxyWarning(trustedProxies, (sentence) => {
    log.warn(sentence)
    notices?.push(sentence)
  })
  const handleNow: RequestListener = (request, response) => {
    normalizeAddress(request, publicPath)
    warnOfProxy(request.headers, request.socket.remoteAddress)
    if (isUnderPrefix(request.url!)) {
      handleApi(request, response, callParts)
      return
    }
    calls.set(request, new Call(request, response, callParts))
    handle!(request, response)
  }
  const handleInTurn = (request: IncomingMessage, response: ServerResponse, handle: () => void) => {
    // Node's parser takes what follows an upgrade request for the other protocol, and cannot read it as HTTP any more.
    if (request.headers.upgrade !== undefined) connections.handleAsLast(response, handle)
    else connections.handleInOrder(response, handle)
  }
  const traceRequest = createRequestTracing(trustedProxies)
  const onRequest: RequestListener = (request, response) => {
    if (connections.isClosing(request.socket)) return
    const handle = () => handleNow(request, response)
    if (!traceRequest) handleInTurn(request, response, handle)
    else
      traceRequest(request, response, () =>
        // The handler may be called at the end of the previous request, but is not a part of its trace.
        handleInTurn(request, response, context.bind(context.active(), handle)),
      )
  }
  server.removeAllListeners('request')
  server.on('request', onRequest)
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', onRequest)
  // Repeated requests are answered without being parsed, but a span needs the headers of its request.
  if (!traceRequest) watchRequests(server, connections, repeatedRequests)
  server.on('connect', (request, socket) => connectionErrors.handleConnect(request, socket as Socket))

  mountChecks(app, calls, { responseHeaders, findQuotaOwner })
  mountErrors(app, log, sendUnknownPage)
  return app
}

interface FastifyParts {
  /** Returns the id of a request. */
  findId(request: IncomingMessage): string
  handleUnreadable(error: ConnectionError, socket: Socket): void
  takesUpgrade(request: IncomingMessage): boolean
  trustedProxies: readonly string[]
}

/** Creates a Fastify instance that accepts every request that HTTP allows. */
function createFastify({
  findId,
  handleUnreadable,
  takesUpgrade,
  trustedProxies,
}: FastifyParts): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: (request) => findId(request as IncomingMessage),
    requestIdHeader: false,
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: MAX_HEADER_BYTES,
      // Most responses are cached bytes, for which the query is not parsed.
      querystringParser: (query) => query as never,
    },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      // `checkRequest` checks the header instead, since its error has a body.
      requireHostHeader: false,
      // A header that is sent twice then has a value that no check accepts, instead of the first of the two.
      joinDuplicateHeaders: true,
      headersTimeout: 60_000,
      shouldUpgradeCallback: takesUpgrade,
    },
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestTimeout: LONGEST_UPLOAD_MS,
    keepAliveTimeout: KEEP_ALIVE_SECONDS * 1000,
    connectionTimeout: STALLED_AFTER_MS,
    // A plugin that loads slowly on a busy machine does not hang.
    pluginTimeout: 0,
    clientErrorHandler: handleUnreadable,
  })
  // Headers are limited by their size alone, since Node would silently drop those beyond a maximum number.
  app.server.maxHeadersCount = 0
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  return app
}

/** Mounts what every request outside the API passes before its handler. */
function mountChecks(
  app: FastifyInstance,
  calls: WeakMap<IncomingMessage, Call>,
  {
    responseHeaders,
    findQuotaOwner,
  }: { responseHeaders: OutgoingHttpHeaders } & Required<Pick<HttpServerOptions, 'findQuotaOwner'>>,
): void {
  app.decorateRequest('call', undefined as never)
  app.addHook('onRequest', async (request, reply) => {
    const call = calls.get(request.raw)!
    const { url = 'none', config } = request.routeOptions
    call.route = url
    call.isSecret = config.isSecret === true
    request.call = call
    reply.headers(responseHeaders).header('x-request-id', call.id)
    checkRequest(request)
    if (!hasOwnAdmission(request)) await call.quota.admit(findQuotaOwner(request) ?? anonymousOwner(request))
  })
}

/** Mounts what happens with errors of handlers, and with paths that have none. */
function mountErrors(
  app: FastifyInstance,
  log: Log,
  sendUnknownPage: HttpServerOptions['sendUnknownPage'],
): void {
  app.setErrorHandler((error, request, reply) => {
    const { call } = request
    // No response can be sent to a client that has disconnected.
    if (error instanceof ClientDisconnected) return reply.hijack()
    const response = toErrorResponse(error)
    call.errorCode = response.error.code
    logFault(log, call.id, response, error)
    if (response.error.code === 'page_not_found' && sendUnknownPage?.(request, reply)) return reply
    sendError(callOf(request, reply), response)
    return reply.hijack()
  })
  app.setNotFoundHandler(() => {
    throw new HttpError('page_not_found')
  })
}

/** Returns the call of a request that Fastify handles, whose response has the headers that were set so far. */
export function callOf({ call }: FastifyRequest, reply: FastifyReply): Call {
  call.responseHeaders = reply.getHeaders() as OutgoingHttpHeaders
  return call
}

/** Whether a request is not admitted here: it is exempt, or the app API admits it after looking up the session. */
const hasOwnAdmission = ({ url }: FastifyRequest): boolean =>
  isUnderPrefix(url, APP_PREFIX) || EXEMPT.has(pathOf(url))

/** Checks the host, token and method of a request outside the API's prefix. */
function checkRequest({ url, method, raw, is404, server }: FastifyRequest): void {
  if (!hasValidHost(raw)) throw new HttpError('host_not_valid')
  if (carriesToken(raw.headers.authorization)) throw new HttpError('token_outside_the_api')
  if (!is404 || method === 'GET' || method === 'HEAD') return
  // The method is checked before the body is read.
  const allowed = server.supportedMethods.filter((known) =>
    server.hasRoute({ method: known, url: pathOf(url) }),
  )
  if (allowed.length === 0) throw new HttpError('page_not_found')
  const allow = allowed.join(', ')
  throw new HttpError('method_not_allowed', {
    headers: { allow },
    sentence: `This address takes ${allow} only.`,
  })
}
