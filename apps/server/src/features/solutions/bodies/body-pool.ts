import { DEFAULT_POOL_LIMITS, toPoolOptions } from '../../../platform/processes/pool-limits.ts'
import { openProcessPool, type ProcessPool } from '../../../platform/processes/process-pool.ts'
import type { BodyRequest, BodySetup, MadeBody } from './body-request.ts'

/** The bytes of the model file and of the values, 256 MB each and more, lie outside of the heap. */
const OTHER_MB = 1024

/** Makes bodies in child processes. */
export type BodyPool = ProcessPool<BodyRequest, MadeBody>

export const openBodyPool = ({ blobsFolder }: BodySetup, limits = DEFAULT_POOL_LIMITS.bodies): BodyPool =>
  openProcessPool({
    script: new URL('./body.worker.ts', import.meta.url),
    setup: { blobsFolder } satisfies BodySetup,
    folder: blobsFolder,
    ...toPoolOptions(limits, { otherMb: OTHER_MB }),
  })
