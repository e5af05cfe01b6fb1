import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../../platform/blobs/blobs.ts'

/** The most that one value of a document may take: an edit refers to it with a few bytes, a reader gets all of it. */
const MAX_VALUE_BYTES = 32 * 2 ** 20
const MAX_KNOWN = 10_000

/** Tells whether large values that an edit refers to are there, and can be put into a document's JSON. */
export type KnowValues = (digests: Iterable<string>) => Promise<boolean>

export function createKnownValues(blobs: BlobStore): KnowValues {
  const good = new LRUCache<string, true>({ max: MAX_KNOWN })
  return async (digests) => {
    for (const digest of digests) {
      if (good.has(digest)) continue
      if (!(await isValue(blobs, digest))) return false
      good.set(digest, true)
    }
    return true
  }
}

/** JSON text of a data tree, or of a text: other things in the blob store are none of the editors' business. */
async function isValue(blobs: BlobStore, digest: string): Promise<boolean> {
  const blob = await blobs.open(digest)
  if (!blob) return false
  const { size } = blob
  await blob.close()
  const bytes = size <= MAX_VALUE_BYTES ? await blobs.read(digest) : undefined
  if (!bytes) return false
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'string' || (typeof value === 'object' && value !== null && 'branches' in value)
  } catch {
    return false
  }
}
