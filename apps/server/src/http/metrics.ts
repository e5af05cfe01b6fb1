import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** What the service counts, for Prometheus. */
export interface Metrics {
  readonly registry: Registry
  /** A request was answered. `route` is the pattern, never an address: addresses are without number. */
  observeRequest(route: string, status: number, durationMs: number): void
  observeRefusal(code: string): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'meadow_http_request_duration_seconds',
    help: 'Time from the request line to the last byte handed to the socket.',
    labelNames: ['route', 'status'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'meadow_http_refusals_total',
    help: 'Refused requests by reason.',
    labelNames: ['code'],
    registers: [registry],
  })
  // Looking a series up by its labels costs more than counting.
  const seriesOf = new Map<string, { observe(seconds: number): void }>()
  return {
    registry,
    observeRequest(route, status, durationMs) {
      const key = `${status} ${route}`
      let series = seriesOf.get(key)
      if (!series) {
        series = durations.labels(route, String(status))
        seriesOf.set(key, series)
      }
      series.observe(durationMs / 1000)
    },
    observeRefusal: (code) => refusals.labels(code).inc(),
  }
}
