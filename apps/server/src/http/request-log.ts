import { randomUUID } from 'node:crypto'
import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import { propagation, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api'
import { type Log, streamOf } from '../platform/log.ts'
import { createNetworkMatcher } from '../platform/networks.ts'
import { isTracing, markFailed, tracer, withSpan } from '../platform/telemetry/tracing.ts'
import { pathOf } from './connection/address.ts'
import type { Metrics } from './metrics.ts'

const ACCEPTED_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/

/** Returns the caller's own `X-Request-Id` if it is short and plain enough for a log, else a new one (decision 10). */
export const readRequestId = (request: IncomingMessage): string => readOwnRequestId(request) ?? randomUUID()

export function readOwnRequestId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && ACCEPTED_ID.test(id) ? id : undefined
}

/** nginx's status for a client that disconnected before it had a response. */
const CLIENT_CLOSED_REQUEST = 499

/** A request that was answered, or whose client has left. */
export interface AnsweredRequest {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The address of the client, or an empty string. */
  readonly clientAddress: string
  /** The pattern of the request's route. */
  readonly route: string
  /** Whether the path grants access by itself, so that it is not logged. */
  readonly isSecret: boolean
  /** The team and the API token, or the person, that the request was answered for. */
  readonly team: string | undefined
  readonly token: string | undefined
  readonly user: string | undefined
  readonly errorCode: string | undefined
}

/** A response that is sent again to the bytes of its request. */
export interface RepeatedResponse {
  route: string
  status: number
  /** The part of the log line that is the same each time, as {@link serializeFacts} makes it. */
  facts: string
}

/** What the log says of a request in addition to its id, status, duration and address. */
interface RequestFacts {
  method: string | undefined
  route: string
  path?: string | undefined
  team?: string | undefined
  token?: string | undefined
  user?: string | undefined
  /** The code of the error that the request was answered with. */
  refusal?: string | undefined
  /** The id of the request's trace. */
  trace?: string | undefined
}

/** Serialises the facts as the end of a line of the log. */
export const serializeFacts = (facts: RequestFacts): string =>
  `${JSON.stringify({ ...facts, msg: 'request' }).slice(1)}\n`

/** Records answered requests: their lines in the log, their metrics, and the names of their spans. */
export class RequestLog {
  readonly #log: Log
  readonly #lines: ReturnType<typeof streamOf>
  readonly #metrics: Pick<Metrics, 'requestDurations' | 'refusals'>
  /** The series by status and route, since looking one up by its labels takes longer than counting. */
  readonly #series = new Map<string, { observe(seconds: number): void }>()
  /** The last time of a line, in milliseconds since 1970 and as text. */
  #nowMs = 0
  #now = ''

  constructor(log: Log, metrics: Pick<Metrics, 'requestDurations' | 'refusals'>) {
    this.#log = log
    this.#lines = streamOf(log)
    this.#metrics = metrics
  }

  /** Logs and counts a request when its response has been sent, or its connection is closed. */
  note(answered: AnsweredRequest, durationMs: number): void {
    const { request, response, id, clientAddress, route, isSecret, team, token, user, errorCode } = answered
    const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST
    this.count(route, status, durationMs, errorCode)
    // The path of a failed request may hold anything, such as a pasted token.
    const path = status < 400 && !isSecret ? pathOf(request.url!) : undefined
    const trace = describeSpan(answered)
    const { method } = request
    const facts = serializeFacts({ method, route, path, team, token, user, refusal: errorCode, trace })
    this.#writeLine(id, status, durationMs, clientAddress, facts)
  }

  /** Logs and counts a response that was sent again. */
  noteRepeated(
    id: string,
    { route, status, facts }: RepeatedResponse,
    durationMs: number,
    address: string,
  ): void {
    this.count(route, status, durationMs)
    this.#writeLine(id, status, durationMs, address, facts)
  }

  /** Counts a request that was answered; `route` is the pattern, since addresses would make too many series. */
  count(route: string, status: number, durationMs: number, errorCode?: string): void {
    const { requestDurations, refusals } = this.#metrics
    const key = `${status} ${route}`
    let series = this.#series.get(key)
    if (!series) {
      series = requestDurations.labels(route, String(status))
      this.#series.set(key, series)
    }
    series.observe(durationMs / 1000)
    if (errorCode !== undefined) refusals.labels(errorCode).inc()
  }

  /** Writes a line as `Log.info` does, at a fraction of the cost. */
  #writeLine(id: string, status: number, durationMs: number, address: string, facts: string): void {
    if (!this.#log.isLevelEnabled('info')) return
    const ms = Date.now()
    if (ms !== this.#nowMs) {
      this.#nowMs = ms
      this.#now = new Date(ms).toISOString()
    }
    const duration = Math.round(durationMs * 100) / 100
    this.#lines.write(
      `{"level":"info","time":"${this.#now}","requestId":"${id}","status":${status},"durationMs":${duration},"address":"${address}",${facts}`,
    )
  }
}

/** The spans of requests in progress. */
const spans = new WeakMap<IncomingMessage, Span>()
const knownMethods: ReadonlySet<string> = new Set(METHODS)

/** Handles a request within a span that lasts until its response has been sent, or its connection is closed. */
export type TraceRequest = (request: IncomingMessage, response: ServerResponse, handle: () => void) => void

/**
 * Creates the tracing of requests; undefined when this process records no traces. A trace continues from the
 * `traceparent` of a trusted proxy. A span that any other caller names is only linked, since callers may neither decide
 * what is recorded nor add to the traces of others.
 */
export function createRequestTracing(trustedProxies: readonly string[]): TraceRequest | undefined {
  if (!isTracing()) return undefined
  const isTrusted = createNetworkMatcher(trustedProxies)
  return (request, response, handle) => {
    const caller = propagation.extract(ROOT_CONTEXT, request.headers)
    const isParent = isTrusted(request.socket.remoteAddress)
    const link = isParent ? undefined : trace.getSpanContext(caller)
    const method = knownMethods.has(request.method!) ? request.method! : '_OTHER'
    const span = tracer.startSpan(
      method,
      {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': method },
        ...(link && { links: [{ context: link }] }),
      },
      isParent ? caller : ROOT_CONTEXT,
    )
    if (!span.isRecording()) {
      handle()
      return
    }
    spans.set(request, span)
    response.once('close', () => {
      const { statusCode } = response
      span.setAttribute('http.response.status_code', statusCode)
      if (statusCode >= 500) markFailed(span, String(statusCode))
      span.end()
    })
    withSpan(span, handle)
  }
}

/** Names the span of a request by its route, never its address; returns the id of its trace, if it is recorded. */
function describeSpan({ request, route, id, errorCode }: AnsweredRequest): string | undefined {
  const span = spans.get(request)
  if (!span) return undefined
  if (route !== 'none') {
    span.updateName(`${request.method} ${route}`)
    span.setAttribute('http.route', route)
  }
  span.setAttribute('meadow.request_id', id)
  if (errorCode !== undefined) span.setAttribute('meadow.error_code', errorCode)
  return span.spanContext().traceId
}
