import { createHash } from 'node:crypto'
import { BoundedTasks } from '../concurrency/bounded-tasks.ts'
import { findCode } from '../system-errors.ts'
import type { BlobStore } from './blobs.ts'
import { DigestSet } from './digest-set.ts'
import { DamagedBlobError } from './s3/open-object.ts'

export interface BlobCopies {
  /** The number of blobs that the receiving store had already. */
  present: number
  copied: number
  /** The size of the copied blobs in bytes. */
  bytes: number
  /** Digests of blobs that could not be copied, and why. */
  faults: BlobFault[]
}

export interface BlobFault {
  digest: string
  fault: 'missing' | 'damaged'
}

export interface CopyOptions {
  signal?: AbortSignal | undefined
  /** Called for each blob that is in the receiving store, with its digest. */
  onBlob?: ((digest: string) => void) | undefined
}

/** The number of blobs that are copied at once: most of the time is spent waiting for a disk or an object store. */
const CONCURRENT = 8

/**
 * Copies the blobs with these digests that `to` does not have. The bytes of each are compared with its digest; one that
 * is missing or damaged does not keep the others from being copied. Can be repeated: what was copied is not copied
 * again.
 */
export async function copyBlobs(
  { from, to }: { from: BlobStore; to: BlobStore },
  wanted: AsyncIterable<readonly string[]>,
  { signal, onBlob = () => {} }: CopyOptions = {},
): Promise<BlobCopies> {
  const known = await listDigests(to, signal)
  const result: BlobCopies = { present: 0, copied: 0, bytes: 0, faults: [] }
  await using tasks = new BoundedTasks(CONCURRENT, CONCURRENT)
  for await (const digests of wanted) {
    for (const digest of digests) {
      signal?.throwIfAborted()
      if (known.has(digest)) {
        result.present++
        onBlob(digest)
        continue
      }
      await tasks.start(1, async () => {
        const copied = await copyBlob(from, to, digest, known)
        if (typeof copied === 'string') result.faults.push({ digest, fault: copied })
        else {
          result.copied++
          result.bytes += copied
          onBlob(digest)
        }
      })
    }
  }
  await tasks.finish()
  return result
}

/** Lists the digests of all blobs of a store. */
export async function listDigests(store: Pick<BlobStore, 'list'>, signal?: AbortSignal): Promise<DigestSet> {
  const known = new DigestSet()
  for await (const { digest } of store.list()) {
    signal?.throwIfAborted()
    known.add(digest)
  }
  return known
}

/** Copies a blob; resolves with its size in bytes, or with what is wrong with it. */
async function copyBlob(
  from: BlobStore,
  to: BlobStore,
  digest: string,
  known: DigestSet,
): Promise<number | BlobFault['fault']> {
  const opened = await from.open(digest)
  if (!opened) return 'missing'
  const bytes = opened.stream()
  try {
    const stored = await to.put(bytes)
    if (stored.digest === digest) return stored.size
    if (!known.has(stored.digest)) await to.remove(stored.digest)
    return 'damaged'
  } catch (error) {
    // The disk of the receiving store may fail in the same way.
    if (isDamage(bytes.errored)) return 'damaged'
    throw error
  }
}

/** Reads all of a blob and returns what is wrong with it; undefined when nothing is. */
export async function findBlobFault(
  store: Pick<BlobStore, 'open'>,
  digest: string,
  onBytes: (count: number) => Promise<void> | void = () => {},
): Promise<BlobFault['fault'] | undefined> {
  const opened = await store.open(digest)
  if (!opened) return 'missing'
  const hash = createHash('sha256')
  try {
    await opened.pour(async (bytes) => {
      hash.update(bytes)
      await onBytes(bytes.length)
    })
  } catch (error) {
    if (!isDamage(error)) throw error
    return 'damaged'
  }
  return hash.digest('hex') === digest ? undefined : 'damaged'
}

/** Whether reading a blob failed because the object store has other bytes, or a sector of the disk cannot be read. */
export const isDamage = (error: unknown): boolean =>
  error instanceof DamagedBlobError || findCode(error) === 'EIO'
