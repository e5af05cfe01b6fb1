import { HttpError } from '../../http/http-error.ts'
import type { BlobStore, StoredBlob } from '../../platform/blobs/blobs.ts'

export interface ReceiveLimits {
  maxBytes: number
  /** How long an upload may send nothing, in milliseconds. */
  stallMs: number
  /** The minimum average rate since the start, from `graceMs` on. */
  minBytesPerSecond: number
  graceMs: number
}

/**
 * Working connections never pause for ten seconds, and the slowest mobile networks are ten times as fast as a kilobyte
 * a second. Without the minimum rate, one byte every nine seconds would occupy an upload slot for an hour.
 */
export const RECEIVE_LIMITS: Omit<ReceiveLimits, 'maxBytes'> = {
  stallMs: 10_000,
  minBytesPerSecond: 1024,
  graceMs: 30_000,
}

/**
 * Stores a file in the blob store while it arrives. Throws an `HttpError` as soon as it is too large or too slow, and
 * when the client disconnects; then nothing is stored.
 */
export async function receiveUpload(
  blobs: BlobStore,
  body: AsyncIterable<Uint8Array>,
  limits: ReceiveLimits,
): Promise<StoredBlob> {
  const { maxBytes } = limits
  async function* limited() {
    let bytes = 0
    for await (const chunk of withMinimumRate(body, limits)) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new HttpError('body_too_large', { sentence: tooLarge(maxBytes) })
      yield chunk
    }
  }
  return blobs.put(limited())
}

const tooLarge = (maxBytes: number) => `A file can have ${maxBytes / 2 ** 20} MB at most.`

/**
 * The chunks of a body. Only time spent waiting for the client counts. Errors leave the stream open, so that the client
 * gets a response.
 */
async function* withMinimumRate(
  body: AsyncIterable<Uint8Array>,
  { stallMs, minBytesPerSecond, graceMs }: ReceiveLimits,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  let bytes = 0
  let waitedMs = 0
  for (;;) {
    const startMs = performance.now()
    const chunk = await nextWithin(chunks, stallMs)
    if (chunk.done) return
    bytes += chunk.value.length
    waitedMs += performance.now() - startMs
    if (waitedMs > graceMs && bytes < (minBytesPerSecond * waitedMs) / 1000) throw tooSlow()
    yield chunk.value
  }
}

/** Rejects when no chunk arrives in time, and when the connection is closed. */
async function nextWithin(chunks: AsyncIterator<Uint8Array>, stallMs: number) {
  const stalled = Promise.withResolvers<never>()
  // `setImmediate` lets the process read what has arrived while it was busy.
  const timer = setTimeout(() => setImmediate(() => stalled.reject(tooSlow())), stallMs)
  try {
    const next = chunks.next().catch((cause: unknown) => {
      throw new HttpError('upload_broke_off', { cause })
    })
    return await Promise.race([next, stalled.promise])
  } finally {
    clearTimeout(timer)
    stalled.promise.catch(() => {})
  }
}

const tooSlow = () => new HttpError('upload_too_slow')
