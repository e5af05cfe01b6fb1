import { once } from 'node:events'
import type { Transform } from 'node:stream'
import { createGzip, createZstdCompress, gunzipSync } from 'node:zlib'
import { findCode } from '../system-errors.ts'
import type { BlobStore, StoredBlob } from './blobs.ts'

/** A body in the encodings that callers ask for. */
interface CompressedBody {
  gzip: StoredBlob
  zstd: StoredBlob
  /** Before it was compressed. */
  bytes: number
}

interface CompressOptions {
  /** From 1, the fastest, to 9. */
  gzipLevel?: number
}

/**
 * Stores a body compressed in both ways, while it is made: no more than a few of its chunks are held at a time.
 * Where somebody waits for it, a `gzipLevel` of 3 takes a third of the time, and makes it a fifth larger.
 */
export async function putCompressed(
  blobs: BlobStore,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { gzipLevel = 6 }: CompressOptions = {},
): Promise<CompressedBody> {
  const streams: Transform[] = [createGzip({ level: gzipLevel }), createZstdCompress()]
  const giveUp = (reason: Error) => {
    for (const stream of streams) stream.destroy(reason)
  }
  // Whoever reads a stream hears of it there; but the store may not have begun to, or may have stopped.
  for (const stream of streams) stream.on('error', () => {})
  const puts = streams.map((stream) => blobs.put(stream))
  const stored = Promise.all(puts)
  // A store that fails reads no more, and nobody would ever be told to go on.
  stored.catch(giveUp)
  try {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      await Promise.all(streams.map((stream) => written(stream, chunk)))
    }
    for (const stream of streams) stream.end()
    const [gzip, zstd] = (await stored) as [StoredBlob, StoredBlob]
    return { gzip, zstd, bytes }
  } catch (error) {
    giveUp(error as Error)
    const ends = await Promise.allSettled(puts)
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    // A stream that the store stopped reading says no more than that.
    throw reasons.find((reason) => findCode(reason) !== 'ABORT_ERR') ?? error
  }
}

async function written(stream: Transform, chunk: Uint8Array): Promise<void> {
  if (stream.errored) throw stream.errored
  if (!stream.write(chunk)) await once(stream, 'drain')
}

/** The bytes that `putCompressed` packed, of which there are `size`. Fails when these are others. */
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
