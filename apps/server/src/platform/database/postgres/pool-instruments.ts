import { Counter, Gauge, Histogram, type Metric } from 'prom-client'

/** How many connections a pool has of each kind, and how many callers wait for one. */
interface PoolFigures {
  inUse: number
  idle: number
  waiting: number
  isAway: boolean
}

export interface PoolInstruments {
  readonly all: readonly Metric[]
  observeStatement(durationMs: number): void
  countOutage(): void
}

/** Creates what a pool of connections measures, for `/metrics`. */
export function createPoolInstruments(connections: number, read: () => PoolFigures): PoolInstruments {
  const durations = new Histogram({
    name: 'meadow_database_statement_duration_seconds',
    help: 'Time from a statement to its answer, over a connection that was there.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [],
  })
  const outages = new Counter({
    name: 'meadow_database_outages_total',
    help: 'How often the database could not be reached any more.',
    registers: [],
  })
  const gauge = (name: string, help: string, value: (figures: PoolFigures) => number) =>
    new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(value(read()))
      },
    })
  return {
    all: [
      durations,
      outages,
      gauge('meadow_database_up', '1 while the database can be reached, otherwise 0.', ({ isAway }) =>
        isAway ? 0 : 1,
      ),
      gauge('meadow_database_connections_max', 'How many connections may be open.', () => connections),
      gauge('meadow_database_connections_in_use', 'Connections in use.', ({ inUse }) => inUse),
      gauge('meadow_database_connections_idle', 'Connections that wait for a statement.', ({ idle }) => idle),
      gauge('meadow_database_waiting', 'Callers that wait for a connection.', ({ waiting }) => waiting),
    ] as Metric[],
    observeStatement: (durationMs) => durations.observe(durationMs / 1000),
    countOutage: () => outages.inc(),
  }
}
