import { jobSecrets, jobSetup as setup } from '@meadow/processes/child'
import type { BlobStore } from '../blobs/blobs.ts'
import { type BlobsLocation, type JobKeys, openBlobsAsChild } from '../blobs/open-blobs.ts'

export { isOutOfMemory, type JobProgress, serveJobs } from '@meadow/processes/child'

/** What a pool starts its processes with. */
export interface PooledSetup {
  // biome-ignore lint/suspicious/noExplicitAny: each script knows its own.
  setup: any
  /** The location of the blob store, without keys. */
  blobs: BlobsLocation | undefined
}

const { blobs } = setup as PooledSetup

/** The setup that this process was started with. */
export const jobSetup = (setup as PooledSetup).setup

/** Opens the blob store that this process may use; undefined when there is none. */
export const openJobBlobs = async (): Promise<BlobStore | undefined> =>
  blobs && openBlobsAsChild(blobs, () => jobSecrets() as JobKeys)
