import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The caller and team whose quotas a request counts against (decision 37). */
export interface QuotaOwner {
  /** The team; for a caller without one, the address it comes from. */
  team: string
  /** A token, a session, or for a caller without either, the page it requests. */
  caller: string
}

/** The quota of the service that one request takes. All of it is released when the response has been sent. */
export interface RequestQuota {
  /** Waits until the request may begin. Rejects with a `SemaphoreFullError`, which becomes 429 or 503. */
  admit(principal: QuotaOwner): Promise<void>
  /**
   * Runs work that only waits, for a solve or another process: meanwhile the request does not count as one in
   * progress.
   */
  waitFor<T>(work: () => Promise<T>): Promise<T>
  /**
   * Waits until `bytes` of memory may be taken for the response. Only the first call counts, and it is for the whole
   * response. Small responses never wait.
   */
  reserve(bytes: number): Promise<void>
  /** Waits until a file may be opened to be sent. */
  reserveFile(): Promise<void>
  /**
   * Marks the request as no longer in progress, once its response is made and `bytes` of it have to be sent. Waits
   * while other teams are active and the caller or its team has recently been sent more than their rates allow.
   */
  finish(bytes: number): Promise<void>
}

/** A request and its response, in the API, which does without Fastify, or in a handler of Fastify. */
export interface Exchange {
  /** The request id. */
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The request's quota of the service. */
  readonly quota: RequestQuota
  /** Headers that the response has in any case. */
  readonly responseHeaders: Readonly<OutgoingHttpHeaders>
}

/** Returns the exchange of a request that Fastify handles, with the headers set so far. */
export const toExchange = (request: FastifyRequest, reply: FastifyReply): Exchange => ({
  id: request.id,
  request: request.raw,
  response: reply.raw,
  quota: request.quota,
  responseHeaders: reply.getHeaders() as OutgoingHttpHeaders,
})

/** How every response of the API may be cached (decision 10). */
export const CACHE_HEADERS = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept-Encoding',
}

export type ResponseTarget = Pick<Exchange, 'response' | 'responseHeaders'>

/** Writes the head of a response; `headers` replace those that it has in any case. */
export function writeHead(
  { response, responseHeaders }: ResponseTarget,
  status: number,
  headers: OutgoingHttpHeaders,
): ServerResponse {
  return response.writeHead(status, { ...responseHeaders, ...headers })
}

/** Longer bodies are sent as bytes: joining them to their head would cost more than it saves. */
const MAX_JOINED_BYTES = 16 * 1024

/** Ends a response with a body. A small one leaves in one write with its head, which Node joins with strings only. */
export function endWith(response: ServerResponse, body: Uint8Array): void {
  if (body.length > MAX_JOINED_BYTES) response.end(body)
  else response.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1')
}

/** Responds to a caller that has the body with this tag already. */
export function sendNotModified(exchange: ResponseTarget, tag: string): void {
  writeHead(exchange, 304, { etag: tag, ...CACHE_HEADERS }).end()
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

/** Creates a signal that aborts when the client of this request has closed the connection, or when the server stops. */
export const createAbortSignal = (stopping: AbortSignal, exchange: RequestAndResponse): AbortSignal =>
  AbortSignal.any([stopping, createDisconnectSignal(exchange)])

type RequestAndResponse = Pick<Exchange, 'request' | 'response'>
