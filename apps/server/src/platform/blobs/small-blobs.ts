import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { BlobStore, ByteRange, OpenBlob } from './blobs.ts'

/** One blob may not push out everything else. */
const MAX_SHARE = 1 / 8

/**
 * The same store, with the small blobs that were opened last kept in memory: what opening, measuring and closing a
 * file costs is more than sending a megabyte. Blobs never change, so none is ever out of date.
 * `maxBytes` 0 keeps nothing.
 */
export function cacheSmallBlobs(blobs: BlobStore, maxBytes: number): BlobStore {
  if (maxBytes === 0) return blobs
  const maxBlobBytes = Math.ceil(maxBytes * MAX_SHARE)
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: maxBytes,
    sizeCalculation: ({ length }) => length + 1,
  })
  return {
    ...blobs,
    async open(digest) {
      const known = kept.get(digest)
      if (known) return openBytes(known)
      const opened = await blobs.open(digest)
      if (!opened || opened.size > maxBlobBytes) return opened
      const bytes = await readAll(opened)
      kept.set(digest, bytes)
      return openBytes(bytes)
    },
  }
}

async function readAll(blob: OpenBlob): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(blob.size)
  let length = 0
  await blob.pour(async (piece) => {
    bytes.set(piece, length)
    length += piece.length
  })
  return bytes
}

function openBytes(bytes: Uint8Array): OpenBlob {
  const cut = (range?: ByteRange) => (range ? bytes.subarray(range.start, range.end + 1) : bytes)
  return {
    size: bytes.length,
    stream: (range) => Readable.from([cut(range)], { objectMode: false }),
    pour: (take, range) => take(cut(range)),
    close: async () => {},
  }
}
