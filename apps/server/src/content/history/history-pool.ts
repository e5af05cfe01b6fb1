import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { BlobsLocation } from '../../platform/blobs/open-blobs.ts'
import {
  CONTENT_MEMORY,
  DEFAULT_POOL_LIMITS,
  type PoolLimits,
  toPoolOptions,
} from '../../platform/processes/pool-limits.ts'
import { openProcessPool } from '../../platform/processes/process-pool.ts'
import {
  createHistoryWork,
  type HistoryRequest,
  type HistoryWork,
  MAX_HERE_BYTES,
  runByKind,
  sizeOfRequest,
} from './history-work.ts'

/** A process that has nothing to do is ended after this time. */
const IDLE_MS = 10_000

export interface HistoryPool extends HistoryWork, AsyncDisposable {}

/** Does the work on small documents here, and that on large ones in child processes with limits, shared by teams. */
export function openHistoryPool(
  blobs: BlobStore,
  location: BlobsLocation,
  limits: PoolLimits = DEFAULT_POOL_LIMITS.values,
): HistoryPool {
  const here = createHistoryWork(blobs)
  const pool = openProcessPool<HistoryRequest, never>({
    name: 'history',
    module: new URL('./history-work.ts', import.meta.url),
    blobs: location,
    // Large documents are worked on now and then: the memory is for others soon.
    idleMs: IDLE_MS,
    ...toPoolOptions(limits, CONTENT_MEMORY),
  })
  const run = async (request: HistoryRequest, group: string): Promise<never> =>
    (await sizeOfRequest(blobs, request)) <= MAX_HERE_BYTES
      ? runByKind(here, request, group)
      : pool.run(request, { group })
  return {
    encode: run,
    project: run,
    restore: run,
    replace: run,
    open: run,
    copy: run,
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
