import { Histogram } from 'prom-client'
import { traced } from '../telemetry/tracing.ts'
import type { Database } from './database.ts'
import { findUnavailable } from './unavailable.ts'

/** Wraps a database so that its transactions are measured and shown in traces. */
export function observeTransactions(database: Database): Database {
  const durations = new Histogram({
    name: 'meadow_database_transaction_duration_seconds',
    help: 'Time of a write transaction, waiting for its turn and for the disk included.',
    labelNames: ['outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [],
  })
  return {
    ...database,
    instruments: [...database.instruments, durations],
    async transaction(work) {
      const startedAt = performance.now()
      const end = (outcome: Outcome) =>
        durations.labels(outcome).observe((performance.now() - startedAt) / 1000)
      try {
        const result = await traced('transaction', {}, () => database.transaction(work))
        end('committed')
        return result
      } catch (error) {
        end(findUnavailable(error) ? 'unavailable' : 'rolled_back')
        throw error
      }
    },
  }
}

type Outcome = 'committed' | 'rolled_back' | 'unavailable'
