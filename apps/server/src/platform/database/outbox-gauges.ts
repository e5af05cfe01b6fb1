import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge } from 'prom-client'

/** What an outbox has: how many rows wait, and for how long the oldest of them does. */
export interface OutboxMeasure {
  waiting: number
  oldestMs: number
}

interface OutboxGaugeNames {
  /** `help` says what waits, without a full stop. */
  waiting: { name: string; help: string }
  oldest: string
}

/** How long `/metrics` waits for the database. */
const MAX_WAIT_MS = 1000

/**
 * Creates the gauges of an outbox, which are measured in the database when `/metrics` is read. They have no value while
 * the database cannot be reached.
 */
export function createOutboxGauges(
  outbox: { measure(): Promise<OutboxMeasure> },
  { waiting, oldest }: OutboxGaugeNames,
): Gauge[] {
  const createGauge = (name: string, help: string, pick: (measured: OutboxMeasure) => number) =>
    new Gauge({
      name,
      help: `${help}: the same in each process.`,
      registers: [],
      async collect() {
        const measuring = outbox.measure().catch(() => undefined)
        const measured = await Promise.race([measuring, sleep(MAX_WAIT_MS, undefined, { ref: false })])
        this.remove()
        if (measured) this.set(pick(measured))
      },
    })
  return [
    createGauge(waiting.name, waiting.help, (measured) => measured.waiting),
    createGauge(oldest, 'How long the oldest of them has waited', ({ oldestMs }) => oldestMs / 1000),
  ]
}
