import { Histogram, type Metric } from 'prom-client'
import { tracedCall } from '../telemetry/tracing.ts'
import type { BlobStore } from './blobs.ts'

/** The calls about one blob, which are measured. */
const OPERATIONS = ['put', 'open', 'read', 'has', 'size', 'remove', 'removeUnlessPut'] as const

/** Wraps a store so that its calls are measured and shown in traces. */
export function observeBlobs(store: BlobStore): { blobs: BlobStore; instruments: readonly Metric[] } {
  const durations = new Histogram({
    name: 'meadow_blob_operation_duration_seconds',
    help: 'Time of a call of the file store; for "open" until its first byte could be read.',
    labelNames: ['operation', 'outcome'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [],
  })
  const observed = OPERATIONS.map((operation) => {
    const call = store[operation].bind(store) as (...input: unknown[]) => Promise<unknown>
    const measured = async (...input: unknown[]): Promise<unknown> => {
      const startedAt = performance.now()
      const end = (outcome: 'done' | 'failed') =>
        durations.labels(operation, outcome).observe((performance.now() - startedAt) / 1000)
      try {
        const result = await tracedCall(`blob ${operation}`, {}, () => call(...input))
        end('done')
        return result
      } catch (error) {
        end('failed')
        throw error
      }
    }
    return [operation, measured] as const
  })
  return { blobs: { ...store, ...Object.fromEntries(observed) }, instruments: [durations as Metric] }
}
