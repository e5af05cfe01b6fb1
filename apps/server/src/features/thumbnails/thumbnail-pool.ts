import type { StoredJson } from '../../content/content.store.ts'
import type { StoredThumbnail } from '../../content/save-thumbnail.ts'
import type { BlobsLocation } from '../../platform/blobs/open-blobs.ts'
import { DEFAULT_POOL_LIMITS, toPoolOptions } from '../../platform/processes/pool-limits.ts'
import { openProcessPool, type ProcessPool } from '../../platform/processes/process-pool.ts'

export interface ThumbnailRequest {
  content: StoredJson
  /** The digest of a model file. */
  model: string | null
}

/** Makes pictures in child processes. */
export type ThumbnailPool = ProcessPool<ThumbnailRequest, StoredThumbnail>

/** Model files are buffers outside of the heap, of 256 MB and more. */
const OTHER_MB = 768

export const openThumbnailPool = (blobs: BlobsLocation, limits = DEFAULT_POOL_LIMITS.values): ThumbnailPool =>
  openProcessPool({
    name: 'thumbnail',
    module: new URL('./thumbnail-job.ts', import.meta.url),
    blobs,
    ...toPoolOptions(limits, { otherMb: OTHER_MB }),
  })
