import {
  type Attributes,
  context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { findCode } from '../system-errors.ts'
import { VERSION } from '../version.ts'

/*
 * Traces of OpenTelemetry. Unless `startTelemetry` was called, the library's functions do nothing, and take some
 * hundred nanoseconds. Attributes hold no names, values, addresses, secrets or queries of people: ids, counts, kinds
 * and states.
 */

/** What starts the spans of this process. */
export const tracer = trace.getTracer('meadow', VERSION)

const PROBE = createContextKey('meadow probe')

/** Whether `startTelemetry` was called for traces: only then the library keeps what the current span is. */
export const isTracing = (): boolean =>
  context.with(ROOT_CONTEXT.setValue(PROBE, true), () => context.active().getValue(PROBE) === true)

/** Whether the work that runs is a part of a trace that is recorded. */
export const isRecording = (): boolean => trace.getActiveSpan()?.isRecording() === true

/**
 * Runs `work` as a part of the trace that its caller belongs to; without one, or when that one is not recorded, just
 * runs it. An error shows in the span by its name or code alone, since its message may hold anything.
 */
export function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (!isRecording()) return work()
  return tracer.startActiveSpan(name, { attributes }, (span) => endWith(span, work))
}

/** Runs `work` like `traced`, for a request to another system, such as a database. */
export function tracedCall<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (!isRecording()) return work()
  return tracer.startActiveSpan(name, { attributes, kind: SpanKind.CLIENT }, (span) => endWith(span, work))
}

/** Runs `work` as a trace of its own: work that no request waits for. */
export function tracedAlone<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, { attributes, root: true, kind: SpanKind.CONSUMER }, (span) =>
    endWith(span, work),
  )
}

/** Runs `work` with `span` as the current one. */
export const withSpan = <T>(span: Span, work: () => T): T =>
  context.with(trace.setSpan(context.active(), span), work)

async function endWith<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    markFailed(span, findCode(error) ?? (error instanceof Error ? error.name : 'unknown'))
    throw error
  } finally {
    span.end()
  }
}

export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
