import type { Job, JobStart } from '@meadow/processes/child'
import type { BlobStore } from '../blobs/blobs.ts'
import { type BlobsLocation, type JobKeys, openBlobsAsChild } from '../blobs/open-blobs.ts'

export type { Job }

/** What a job of a pool works with. */
export interface JobParts {
  // biome-ignore lint/suspicious/noExplicitAny: each job knows its own.
  setup: any
  /** Undefined in a pool without a blob store. */
  blobs: BlobStore | undefined
}

/** What a pool starts its processes with. */
export interface PooledSetup {
  /** The address of a module that exports `createJob`, as a function of {@link JobParts}. */
  module: string
  setup: unknown
  /** The location of the blob store, without keys. */
  blobs: BlobsLocation | undefined
}

/** Opens the blob store in a process of a pool, and creates the job of its module. */
export async function createJob({
  setup: { module, setup, blobs },
  getSecrets,
}: JobStart<PooledSetup>): Promise<Job<unknown, unknown>> {
  const job = (await import(module)) as { createJob(parts: JobParts): Job<unknown, unknown> }
  return job.createJob({
    setup,
    blobs: blobs && (await openBlobsAsChild(blobs, () => getSecrets() as JobKeys)),
  })
}
