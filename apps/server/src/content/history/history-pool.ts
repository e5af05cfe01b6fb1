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
  sizeOfEncode,
  sizeOfJson,
  sizeOfProject,
  sizeOfUpdates,
  sizeOfVersion,
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
  const isSmall = (bytes: number) => bytes <= MAX_HERE_BYTES
  return {
    encode: async (request, group) =>
      isSmall(await sizeOfEncode(blobs, request))
        ? here.encode(request, group)
        : pool.run(request, { group }),
    project: async (request, group) =>
      isSmall(sizeOfProject(request)) ? here.project(request, group) : pool.run(request, { group }),
    restore: async (request, group) =>
      isSmall((await sizeOfVersion(blobs, request.version)) + sizeOfUpdates(request.updates ?? []))
        ? here.restore(request, group)
        : pool.run(request, { group }),
    replace: async (request, group) =>
      isSmall((await sizeOfJson(blobs, request.content)) + sizeOfUpdates(request.updates))
        ? here.replace(request, group)
        : pool.run(request, { group }),
    open: async (request, group) =>
      isSmall(await sizeOfJson(blobs, request.content))
        ? here.open(request, group)
        : pool.run(request, { group }),
    copy: async (request, group) =>
      isSmall(await sizeOfVersion(blobs, request.version))
        ? here.copy(request, group)
        : pool.run(request, { group }),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
