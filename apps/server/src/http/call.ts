import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { MaybePromise } from '../platform/database/database.ts'
import { clientAddressOf, type FindClientAddress } from './connection/address.ts'
import { type RequestLog, readRequestId } from './request-log.ts'

/** The caller and team whose quotas a request counts against (decision 37). */
export interface QuotaOwner {
  /** The team; for a caller without one, the address it comes from. */
  team: string
  /** A token, a session, or for a caller without either, the page it requests. */
  caller: string
}

/**
 * The quota of the service that one request takes. All of it is released when the response has been sent. What is free
 * is taken at once, without a promise.
 */
export interface RequestQuota {
  /** Waits until the request may begin. Rejects with a `SemaphoreFullError`, which becomes 429 or 503. */
  admit(principal: QuotaOwner): MaybePromise<void>
  /**
   * Runs work that only waits, for a solve or another process: meanwhile the request does not count as one in
   * progress. Rejects with `overloaded` (503) once the request has waited for 90 seconds in
   * all, while the work goes on.
   */
  waitFor<T>(work: () => Promise<T>): Promise<T>
  /**
   * Waits until `bytes` of memory may be taken for the response. Only the first call counts, and it is for the whole
   * response. Small responses never wait.
   */
  reserve(bytes: number): MaybePromise<void>
  /** Waits until a file may be opened to be sent. */
  reserveFile(): Promise<void>
  /**
   * Marks the request as no longer in progress, once its response is made and `bytes` of it have to be sent. Waits
   * while other teams are active and the caller or its team has recently been sent more than their rates allow.
   */
  finish(bytes: number): MaybePromise<void>
}

/** What every request is handled with. */
export interface CallParts {
  openQuota(call: RequestAndResponse): RequestQuota
  findClientAddress: FindClientAddress
  requestLog: Pick<RequestLog, 'note'>
  /** Aborts when the server is stopped. */
  stopping: AbortSignal
}

/** A request from its turn on the connection to the end of its response, which is then logged and counted. */
export class Call {
  /** The request id. */
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The request's quota of the service. */
  readonly quota: RequestQuota
  /** The address of the client, or an empty string. */
  readonly clientAddress: string
  /** Headers that the response has in any case. */
  responseHeaders: Readonly<OutgoingHttpHeaders> = {}
  /** The pattern of the request's route. */
  route = 'none'
  /** Whether the path grants access by itself, so that it is not logged. */
  isSecret = false
  /** The team and the API token, or the person, that the request is answered for. */
  team: string | undefined
  token: string | undefined
  user: string | undefined
  /** The origin of the page that may read the response; undefined for none. */
  allowedOrigin: string | undefined
  /** Describes what the request took so far; undefined when that is not sent. */
  describeTiming: (() => string) | undefined
  /** What happens when the caller has the body already. */
  onNotModified: (() => void) | undefined
  /** The error that the request was answered with. */
  errorCode: string | undefined
  readonly #stopping: AbortSignal

  constructor(request: IncomingMessage, response: ServerResponse, parts: CallParts) {
    const startedAt = performance.now()
    this.id = readRequestId(request)
    this.request = request
    this.response = response
    this.quota = parts.openQuota(this)
    this.clientAddress = clientAddressOf(request, parts.findClientAddress)
    this.#stopping = parts.stopping
    // This listener runs before the one that ends the span of the request.
    response.prependOnceListener('close', () => parts.requestLog.note(this, performance.now() - startedAt))
  }

  /** Aborts when the client has disconnected or the server stops: a request that is held back then ends. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.#stopping, createDisconnectSignal(this)])
  }
}

/** How every response of the API may be cached (decision 10). */
export const CACHE_HEADERS = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept-Encoding',
}

type ResponseTarget = Pick<Call, 'response' | 'responseHeaders'> &
  Partial<Pick<Call, 'describeTiming' | 'allowedOrigin'>>

/** Writes the head of a response; `headers` replace those that it has in any case. */
export function writeHead(
  { response, responseHeaders, describeTiming, allowedOrigin }: ResponseTarget,
  status: number,
  headers: OutgoingHttpHeaders,
): ServerResponse {
  const timing = describeTiming && { 'server-timing': describeTiming() }
  const cors = allowedOrigin && corsHeaders(allowedOrigin, headers.vary)
  return response.writeHead(status, { ...responseHeaders, ...timing, ...headers, ...cors })
}

/** The headers with which a browser lets a page of another origin read a response (Fetch, CORS protocol). */
const corsHeaders = (origin: string, vary: OutgoingHttpHeaders['vary'] = CACHE_HEADERS.vary) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers':
    '*, ETag, Retry-After, RateLimit, RateLimit-Policy, Meadow-Reach, X-Request-Id',
  vary: `${vary}, Origin`,
})

/** Responds to a caller that has the body with this tag already. */
export function sendNotModified(
  call: ResponseTarget & Pick<Call, 'onNotModified'>,
  tag: string,
  headers = CACHE_HEADERS,
): void {
  call.onNotModified?.()
  writeHead(call, 304, { etag: tag, ...headers }).end()
}

/** The client closed the connection before it had the whole response. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'

  constructor() {
    super('The client closed the connection.')
  }
}

/**
 * Creates a signal that aborts with {@link ClientDisconnected} when the client of this request has closed the
 * connection.
 */
export function createDisconnectSignal({ request, response }: RequestAndResponse): AbortSignal {
  const disconnected = new AbortController()
  const abort = () => disconnected.abort(new ClientDisconnected())
  const { socket } = request
  if (socket.destroyed) abort()
  socket.once('close', abort)
  response.once('close', () => socket.off('close', abort))
  return disconnected.signal
}

type RequestAndResponse = Pick<Call, 'request' | 'response'>
