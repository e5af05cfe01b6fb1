import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, Histogram, type Metric } from 'prom-client'
import type { SolveStore } from './solves.store.ts'

/** How a solve of this process ended. Those that were abandoned or lost are solved by another process. */
export type SolveEnd = 'solved' | 'failed' | 'abandoned' | 'lost' | 'error'

export interface SolveMetrics {
  readonly instruments: readonly Metric[]
  observeEnd(end: SolveEnd, durationMs: number): void
}

/** How long `/metrics` waits for the database. */
const MAX_WAIT_MS = 1000

/** What the solver pool of a process measures, for `/metrics`. `countRunning` counts the solves that run. */
export function createSolveMetrics(workers: number, countRunning: () => number): SolveMetrics {
  const durations = new Histogram({
    name: 'meadow_solve_duration_seconds',
    help: 'Time of a solve in this process, from its lease to its stored solution.',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers: [],
  })
  const gauge = (name: string, help: string, read: () => number): Metric =>
    new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(read())
      },
    })
  return {
    instruments: [
      durations as Metric,
      gauge('meadow_solve_workers', 'How many documents this process solves at once.', () => workers),
      gauge('meadow_solves_running', 'Solves that run in this process.', countRunning),
    ],
    observeEnd: (end, durationMs) => durations.labels(end).observe(durationMs / 1000),
  }
}

/** Creates the metrics of the queue of all processes, which are the same in each of them. */
export function createQueueGauges({ findQueue }: Pick<SolveStore, 'findQueue'>): readonly Metric[] {
  const find = () => findQueue().catch(() => undefined)
  let finding: ReturnType<typeof find> | undefined
  const age = new Gauge({
    name: 'meadow_solve_queue_age_seconds',
    help: 'How long the solve that has waited longest waits, of all processes.',
    registers: [],
  })
  const queued = new Gauge({
    name: 'meadow_solves_queued',
    help: 'Solves that wait for a solver, of all processes: the same in each.',
    registers: [],
    // One query gives the length and the age, so both are set here.
    async collect() {
      finding ??= find().finally(() => {
        finding = undefined
      })
      const queue = await Promise.race([finding, sleep(MAX_WAIT_MS, undefined, { ref: false })])
      // While the database is away, the metrics are absent rather than out of date.
      for (const one of [this, age]) one.remove()
      if (!queue) return
      this.set(queue.length)
      age.set(queue.oldestMs / 1000)
    },
  })
  return [queued, age]
}
