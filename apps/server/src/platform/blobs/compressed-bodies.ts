import { once } from 'node:events'
import type { Transform } from 'node:stream'
import { createGzip, createZstdCompress, gunzipSync } from 'node:zlib'
import { findCode } from '../system-errors.ts'
import type { BlobStore, StoredBlob } from './blobs.ts'

/** A body in both encodings that it is stored in. */
interface CompressedBody {
  gzip: StoredBlob
  zstd: StoredBlob
  /** The length of the body before compression. */
  bytes: number
}

/** Somebody waits for these bodies. The usual level of 6 takes three times as long, and makes a body a sixth smaller. */
const GZIP_LEVEL = 3

/**
 * Stores a body in both encodings while it is made: only a few of its chunks are in memory at a time. `onGzip` gets the
 * bytes of the gzip form as they are made.
 */
export async function putCompressed(
  blobs: BlobStore,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  onGzip?: (chunk: Uint8Array) => Promise<void>,
): Promise<CompressedBody> {
  const [gzip, zstd] = [createGzip({ level: GZIP_LEVEL }), createZstdCompress()]
  const streams: Transform[] = [gzip, zstd]
  const abort = (reason: Error) => {
    for (const stream of streams) stream.destroy(reason)
  }
  // Readers of a stream get its error, but the store may not have begun to read it, or may have stopped.
  for (const stream of streams) stream.on('error', () => {})
  const puts = [blobs.put(onGzip ? passing(gzip, onGzip) : gzip), blobs.put(zstd)]
  const stored = Promise.all(puts)
  // A store that has failed reads no more, so a write would wait forever.
  stored.catch(abort)
  try {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      await Promise.all(streams.map((stream) => written(stream, chunk)))
    }
    for (const stream of streams) stream.end()
    const [gzipped, zstandard] = (await stored) as [StoredBlob, StoredBlob]
    return { gzip: gzipped, zstd: zstandard, bytes }
  } catch (error) {
    abort(error as Error)
    const ends = await Promise.allSettled(puts)
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    // An AbortError only says that the store stopped reading.
    throw reasons.find((reason) => findCode(reason) !== 'ABORT_ERR') ?? error
  }
}

async function* passing(chunks: AsyncIterable<Uint8Array>, take: (chunk: Uint8Array) => Promise<void>) {
  for await (const chunk of chunks) {
    await take(chunk)
    yield chunk
  }
}

async function written(stream: Transform, chunk: Uint8Array): Promise<void> {
  if (stream.errored) throw stream.errored
  if (!stream.write(chunk)) await once(stream, 'drain')
}

/** Decompresses a body of `size` bytes that `putCompressed` stored. Throws when it is damaged. */
export function gunzip(packed: Buffer, size: number): Buffer {
  let bytes: Buffer | undefined
  try {
    bytes = gunzipSync(packed, { maxOutputLength: Math.max(size, 1) })
  } catch (cause) {
    throw new Error('A body in the blob store is damaged.', { cause })
  }
  if (bytes.length !== size) throw new Error('A body in the blob store is damaged.')
  return bytes
}
