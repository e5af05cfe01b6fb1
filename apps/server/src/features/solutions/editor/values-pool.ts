import type { StoredJson } from '../../../content/content.store.ts'
import type { BlobsLocation } from '../../../platform/blobs/open-blobs.ts'
import { DEFAULT_POOL_LIMITS, toPoolOptions } from '../../../platform/processes/pool-limits.ts'
import { openProcessPool, type ProcessPool } from '../../../platform/processes/process-pool.ts'
import type { StoredForms } from '../solutions.store.ts'
import type { PlayerValues, PlayerValuesRequest } from './player-values.ts'
import type { PageRequest, PortPage } from './port-pages.ts'

export interface ValuesSetup {
  /** The size of the cache of values, from which the next page is read. */
  cacheBytes: number
}

export interface PageOfPort {
  kind: 'page'
  /** The body without geometry. */
  values: StoredForms
  nodeInstanceId: string
  portInstanceId: string
  page: PageRequest
}

export interface CompactSceneRequest {
  kind: 'compactScene'
  /** The whole scene. */
  scene: StoredForms
  /** The document of a player, which says what is hidden; absent for all of the scene with its ids. */
  content?: StoredJson
}

export type ValuesRequest = PageOfPort | CompactSceneRequest | PlayerValuesRequest

/** A page is undefined when the solution has no such port. */
export type ValuesAnswer = PortPage | Uint8Array | PlayerValues | undefined

/** Reads in child processes: pages of the values of a port, compact scenes, and what the player shows beside them. */
export type ValuesPool = ProcessPool<ValuesRequest, ValuesAnswer>

export const openValuesPool = (blobs: BlobsLocation, limits = DEFAULT_POOL_LIMITS.values): ValuesPool =>
  openProcessPool({
    name: 'values',
    module: new URL('./values-job.ts', import.meta.url),
    setup: { cacheBytes: (limits.heapMb / 2) * 2 ** 20 } satisfies ValuesSetup,
    blobs,
    // The process also holds the values that are being read, compressed and uncompressed.
    ...toPoolOptions(limits, { otherMb: 512, retainedMb: limits.heapMb }),
  })
