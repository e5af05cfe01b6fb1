import type { IncomingMessage, ServerResponse } from 'node:http'
import { METHODS } from 'node:http'
import { propagation, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api'
import { createNetworkMatcher } from '../platform/networks.ts'
import { isTracing, markFailed, tracer, withSpan } from '../platform/telemetry/tracing.ts'

/** The spans of requests in progress. */
const spans = new WeakMap<IncomingMessage, Span>()
const knownMethods: ReadonlySet<string> = new Set(METHODS)

/** Handles a request within a span that lasts until its response has been sent, or its connection is closed. */
export type TraceRequest = <T>(request: IncomingMessage, response: ServerResponse, handle: () => T) => T

/**
 * Creates the tracing of requests. A trace continues from the `traceparent` of a trusted proxy. A span that any other
 * caller names is only linked, since callers may neither decide what is recorded nor add to the traces of others.
 */
export function createRequestTracing(trustedProxies: readonly string[]): TraceRequest {
  if (!isTracing()) return (_request, _response, handle) => handle()
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
    if (!span.isRecording()) return handle()
    spans.set(request, span)
    response.once('close', () => {
      const { statusCode } = response
      span.setAttribute('http.response.status_code', statusCode)
      if (statusCode >= 500) markFailed(span, String(statusCode))
      span.end()
    })
    return withSpan(span, handle)
  }
}

/** What is known about a request once it was handled: the pattern of its route, never its address. */
export interface HandledRequest {
  route: string
  requestId: string
  /** The code of the error that the request was answered with. */
  errorCode?: string | undefined
}

/** Names the span of a request; returns the id of its trace for the log, if it is recorded. */
export function describeRequest(
  request: IncomingMessage,
  { route, requestId, errorCode }: HandledRequest,
): string | undefined {
  const span = spans.get(request)
  if (!span) return undefined
  if (route !== 'none') {
    span.updateName(`${request.method} ${route}`)
    span.setAttribute('http.route', route)
  }
  span.setAttribute('meadow.request_id', requestId)
  if (errorCode !== undefined) span.setAttribute('meadow.error_code', errorCode)
  return span.spanContext().traceId
}
