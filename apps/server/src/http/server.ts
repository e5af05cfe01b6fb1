import { type IncomingMessage, METHODS, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { APP_PREFIX } from '@meadow/contract/web'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Log } from '../platform/log.ts'
import { isUnderPrefix, pathOf, readAddress } from './address.ts'
import { type Admission, anonymous, type Principal, type RequestShare } from './admission.ts'
import { carriesToken } from './authenticate.ts'
import { createConnectionRefusals } from './client-errors.ts'
import { type ConnectionLimits, type Connections, trackConnections } from './connections.ts'
import { sendFailure, toErrorResponse } from './error-response.ts'
import type { FastPathCache } from './fast-path-cache.ts'
import { isHost } from './host.ts'
import { HttpError } from './http-error.ts'
import { logRequests } from './log-requests.ts'
import type { Metrics } from './metrics.ts'
import { ClientDisconnected } from './piece-writer.ts'
import { requestId } from './request-id.ts'

/** Refusals whose cause the operator has to know. */
const LOGGED: ReadonlySet<string> = new Set(['internal', 'database_unavailable'])

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
  interface FastifyRequest {
    /** The share of the service that the request takes. */
    share: RequestShare
  }
}

/** What counts against nobody's share: monitoring has to get through when nothing else does (decision 37). */
const EXEMPT = new Set(['/healthz', '/readyz'])

export interface HttpServerParts {
  log: Log
  metrics: Metrics
  readyAnswers: FastPathCache
  admission: Admission
}

export interface HttpServerOptions {
  /** The part of the public address that a proxy in front may leave in place, or nothing. */
  publicPath?: string
  /** For how long requests are still answered after the server is told to stop. */
  stopNoticeMs?: number
  connectionLimits?: ConnectionLimits
  /** Whose share a request for a page or a file counts against; undefined: that of the address it comes from. */
  findPrincipal?: (request: FastifyRequest) => Principal | undefined
  /** Which requests for another protocol are to become its sockets; all others are answered as if they did not ask. */
  takesUpgrade?: (request: IncomingMessage) => boolean
  /** The proxies in front, whose word for where a request comes from is taken: addresses, and ranges as `10.0.0.0/8`. */
  trustedProxies?: readonly string[]
  /** Answers with a page where there is nothing; false for those who did not ask for a page. */
  sendUnknownPage?: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/** A Fastify instance with what is true of every answer: request id, error body, log line, metrics. */
export function createHttpServer(
  { log, metrics, readyAnswers, admission }: HttpServerParts,
  {
    publicPath = '',
    stopNoticeMs = 0,
    connectionLimits = { connections: Number.POSITIVE_INFINITY, pipelined: Number.POSITIVE_INFINITY },
    findPrincipal = () => undefined,
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
  app.decorateRequest('share', undefined as never)

  const stopping = new AbortController()
  const connections = trackConnections(server, connectionLimits)
  const refusals = createConnectionRefusals(connections, { log, metrics })
  app.decorate('stopping', stopping.signal)
  app.decorate('connections', connections)
  app.addHook('preClose', async () => {
    stopping.abort()
    await connections.finish(stopNoticeMs)
  })

  const [handle] = server.listeners('request') as RequestListener[]
  const answer: RequestListener = (request, response) => {
    if (connections.isOver(request.socket)) return
    if (!stopping.signal.aborted && readyAnswers.answer(request, response)) return
    const handleNow = () => {
      readAddress(request, publicPath)
      handle!(request, response)
    }
    // Node's parser takes what follows such a request for the other protocol, and cannot read it as HTTP any more.
    if (request.headers.upgrade !== undefined) connections.answerLast(response, handleNow)
    else connections.answer(response, handleNow)
  }
  server.removeAllListeners('request')
  server.on('request', answer)
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', answer)
  server.on('connect', (request, socket) => refusals.refuseTunnel(request, socket as Socket))

  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    request.share = admission.openShare(request, reply)
    const fault = findFault(request)
    if (fault || hasOwnAdmission(request)) return next(fault)
    request.share.admit(findPrincipal(request) ?? anonymous(request)).then(() => next(), next)
  })
  logRequests(app, log, metrics)
  app.setErrorHandler((error, request, reply) => {
    // Nobody reads the answer; the status is for the log.
    if (error instanceof ClientDisconnected) return reply.code(CLIENT_CLOSED_REQUEST).send()
    const answer = toErrorResponse(error)
    request.refusalCode = answer.error.code
    // An outage says so once a minute: it is the log that sees to that.
    if (LOGGED.has(answer.error.code)) log.error({ requestId: request.id, err: error }, 'request failed')
    if (answer.error.code === 'page_not_found' && sendUnknownPage?.(request, reply)) return reply
    return sendFailure(reply, answer)
  })
  // The file server comes here too.
  app.setNotFoundHandler(() => {
    throw new HttpError('page_not_found')
  })
  return app
}

/** nginx's word for it: the client went away before it had an answer. */
const CLIENT_CLOSED_REQUEST = 499

/** The API and the web app's endpoints know more about the caller once token or session are looked up. */
const hasOwnAdmission = ({ url }: FastifyRequest): boolean =>
  isUnderPrefix(url) || isUnderPrefix(url, APP_PREFIX) || EXEMPT.has(pathOf(url))

/** What is wrong with a request wherever it goes; outside the prefix also with its method. */
function findFault({ url, method, raw, is404, server }: FastifyRequest): HttpError | undefined {
  const { host, authorization } = raw.headers
  if (host === undefined ? raw.httpVersion !== '1.0' : !isHost(host)) return new HttpError('host_not_valid')
  if (isUnderPrefix(url)) return undefined
  if (carriesToken(authorization)) return new HttpError('token_outside_the_api')
  if (!is404 || method === 'GET' || method === 'HEAD') return undefined
  // Told before anybody looks at a body.
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
