import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { atEnd, type TestScope } from '../../../testing/at-end.ts'

/** A span as a collector receives it, its attributes as an object. */
export interface ReceivedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code?: number }
  links: { traceId: string; spanId: string }[]
  attributes: Record<string, unknown>
  /** Of the process. */
  resource: Record<string, unknown>
}

export interface ReceivedMetric {
  name: string
  sum?: { dataPoints: ReceivedPoint[]; isMonotonic: boolean }
  gauge?: { dataPoints: ReceivedPoint[] }
  histogram?: { dataPoints: ReceivedPoint[] }
}

interface ReceivedPoint {
  attributes: { key: string; value: Record<string, unknown> }[]
  asDouble?: number
  count?: string
  sum?: number
  bucketCounts?: string[]
  explicitBounds?: number[]
}

/** A collector of OpenTelemetry for OTLP over HTTP with JSON (opentelemetry.io/docs/specs/otlp). */
export interface Collector {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** The last values by name. */
  readonly metrics: Map<string, ReceivedMetric>
  /** Everything that was received, bodies and paths. */
  readonly received: string[]
  readonly headers: IncomingHttpHeaders[]
}

export async function startCollector(t: TestScope): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const metrics = new Map<string, ReceivedMetric>()
  const received: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    received.push(request.url!, body)
    headers.push(request.headers)
    const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(body)
    for (const { resource, scopeSpans } of resourceSpans)
      for (const scope of scopeSpans)
        for (const span of scope.spans) {
          const attributes = toObject(span.attributes)
          spans.push({ links: [], ...span, attributes, resource: toObject(resource.attributes) })
        }
    for (const { scopeMetrics } of resourceMetrics)
      for (const scope of scopeMetrics) for (const metric of scope.metrics) metrics.set(metric.name, metric)
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, spans, metrics, received, headers }
}

const toObject = (attributes: { key: string; value: Record<string, unknown> }[] = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
