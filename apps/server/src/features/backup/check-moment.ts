import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { type BlobFault, findBlobFault } from '../../platform/blobs/copy-blobs.ts'
import { BoundedTasks } from '../../platform/concurrency/bounded-tasks.ts'
import type { CopyProgress } from './back-up.ts'
import { DamagedBackupError, readLines } from './line-chunks.ts'
import { type Moment, readManifest } from './moments.ts'

const CONCURRENT = 4

/** What a moment cannot be restored with: blobs of the service, and parts of the backup, without which nothing can. */
export interface MomentFaults {
  blobs: BlobFault[]
  /** What is wrong with parts of the backup, in sentences. */
  parts: string[]
}

/** Reads everything that belongs to a moment and compares it with its digests. */
export async function checkMoment(
  store: BlobStore,
  moment: Moment,
  { signal, onBlobs, onBlob }: CopyProgress = {},
): Promise<MomentFaults> {
  const faults: MomentFaults = { blobs: [], parts: [] }
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DamagedBackupError)) throw error
      faults.parts.push(error.message)
      return undefined
    }
  }
  const manifest = await attempt(() => readManifest(store, moment))
  if (!manifest) return faults
  for (const chunk of manifest.tables.flatMap(({ rows }) => rows))
    await attempt(() => readLines(store, chunk))
  await onBlobs?.(moment.blobs)
  await using tasks = new BoundedTasks(CONCURRENT, CONCURRENT)
  for (const chunk of manifest.blobs) {
    for (const digest of (await attempt(() => readLines(store, chunk))) ?? []) {
      signal?.throwIfAborted()
      await tasks.start(1, async () => {
        const fault = await findBlobFault(store, digest)
        if (fault) faults.blobs.push({ digest, fault })
        onBlob?.(digest)
      })
    }
  }
  await tasks.finish()
  return faults
}
