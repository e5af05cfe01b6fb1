import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import type { FairSemaphore } from '../platform/concurrency/fair-semaphore.ts'
import { VERSION } from '../platform/version.ts'

/** The metrics of the service, for Prometheus. */
export interface Metrics {
  readonly registry: Registry
  /** The durations of requests in seconds, by the pattern of their route and their status. */
  readonly requestDurations: Histogram<'route' | 'status'>
  /** The number of requests that were answered with an error, by its code. */
  readonly refusals: Counter<'code'>
  /** Reports from now on how much of a limited resource is in use, how many wait for it, and how many were rejected. */
  watchSemaphore(resource: string, semaphore: SemaphoreFigures): void
  /** Reports from now on these instruments, with which other parts of the service measure themselves. */
  add(instruments: readonly Metric[]): void
  /** Reports from now on the requests to another server. */
  watchRequests(server: string, figures: RequestFigures): void
}

type SemaphoreFigures = Pick<FairSemaphore, 'held' | 'waiting' | 'refusals'>

/** What the requests to another server have taken so far. */
interface RequestFigures {
  /** The number of requests by how they ended. */
  readonly requests: ReadonlyMap<string, number>
  readonly seconds: number
  readonly sentBytes: number
  readonly receivedBytes: number
}

/** The levels of the limits of a semaphore. */
const LEVELS = ['process', 'team', 'caller'] as const

/** Creates the metrics of a process; `kind` is what the process does. */
export function createMetrics(kind: 'serve' | 'work' = 'serve'): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'meadow_info',
    help: 'Always 1: what the process does, and its version.',
    labelNames: ['kind', 'version'],
    registers: [registry],
  })
    .labels(kind, VERSION)
    .set(1)
  const requestDurations = new Histogram({
    name: 'meadow_http_request_duration_seconds',
    help: 'Time from the request line to the last byte handed to the socket.',
    labelNames: ['route', 'status'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'meadow_http_refusals_total',
    help: 'Refused requests by reason.',
    labelNames: ['code'] as const,
    registers: [registry],
  })
  const semaphores = new Map<string, SemaphoreFigures>()
  const watch = (name: string, help: string, member: 'held' | 'waiting') =>
    new Gauge({
      name,
      help,
      labelNames: ['resource'],
      registers: [registry],
      collect() {
        for (const [resource, semaphore] of semaphores) this.labels(resource).set(semaphore[member])
      },
    })
  watch('meadow_limited_in_use', 'How much of a limited resource is in use.', 'held')
  watch('meadow_limited_waiting', 'How many wait for a limited resource.', 'waiting')
  new Counter({
    name: 'meadow_limited_refusals_total',
    help: 'Refusals for want of a limited resource, by the level whose limit was reached.',
    labelNames: ['resource', 'level'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [resource, { refusals }] of semaphores)
        for (const [level, count] of refusals.entries()) this.labels(resource, LEVELS[level]!).inc(count)
    },
  })
  return {
    registry,
    requestDurations,
    refusals,
    add(instruments) {
      for (const instrument of instruments) registry.registerMetric(instrument)
    },
    watchRequests: (server, figures) => watchRequests(registry, server, figures),
    watchSemaphore: (resource, semaphore) => void semaphores.set(resource, semaphore),
  }
}

function watchRequests(registry: Registry, server: string, figures: RequestFigures): void {
  const count = (name: string, help: string, read: () => number) =>
    new Counter({
      name: `meadow_${server}_${name}_total`,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  count('seconds', 'Time that the requests took.', () => figures.seconds)
  count('sent_bytes', 'Length of the bodies that were sent.', () => figures.sentBytes)
  count('received_bytes', 'Length of the bodies that were received.', () => figures.receivedBytes)
  new Counter({
    name: `meadow_${server}_requests_total`,
    help: 'Requests by how they ended.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, number] of figures.requests) this.labels(outcome).inc(number)
    },
  })
}
