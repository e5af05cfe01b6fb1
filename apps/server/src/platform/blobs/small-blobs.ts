import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { BlobStore, ByteRange, OpenBlob } from './blobs.ts'

/** The share of the cache that a single blob may take, so that it cannot push out everything else. */
const MAX_SHARE = 1 / 8

/**
 * Returns the same store with a cache of small blobs in memory: opening, measuring and closing a file costs more than
 * sending a megabyte. Blobs never change, so the cache is never out of date. Nothing is cached when `maxBytes` is 0.
 */
export function cacheSmallBlobs(blobs: BlobStore, maxBytes: number): BlobStore {
  if (maxBytes === 0) return blobs
  const maxBlobBytes = Math.ceil(maxBytes * MAX_SHARE)
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: maxBytes,
    sizeCalculation: ({ length }) => length + 1,
  })
  return {
    ...blobs,
    async open(digest) {
      const cached = cache.get(digest)
      if (cached) return openBytes(cached)
      const opened = await blobs.open(digest)
      if (!opened || opened.size > maxBlobBytes) return opened
      const bytes = await readAll(opened)
      cache.set(digest, bytes)
      return openBytes(bytes)
    },
  }
}

async function readAll(blob: OpenBlob): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(blob.size)
  let length = 0
  await blob.pour(async (chunk) => {
    bytes.set(chunk, length)
    length += chunk.length
  })
  return bytes
}

function openBytes(bytes: Uint8Array): OpenBlob {
  const slice = (range?: ByteRange) => (range ? bytes.subarray(range.start, range.end + 1) : bytes)
  return {
    size: bytes.length,
    stream: (range) => Readable.from([slice(range)], { objectMode: false }),
    pour: (take, range) => take(slice(range)),
    close: async () => {},
  }
}
