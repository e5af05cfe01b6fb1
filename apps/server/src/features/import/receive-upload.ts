import { HttpError } from '../../http/http-error.ts'
import type { BlobStore, StoredBlob } from '../../platform/blobs/blobs.ts'

export interface ReceiveLimits {
  maxBytes: number
  /** How long an upload may send nothing, in milliseconds. */
  stallMs: number
  /** From `graceMs` on, an upload that has sent less than this on average since its start is given up. */
  minBytesPerSecond: number
  graceMs: number
}

/**
 * Ten seconds are longer than a connection that works ever pauses. A kilobyte a second is a tenth of the slowest mobile
 * network; without it, one byte every nine seconds would hold a place for an hour.
 */
export const RECEIVE_LIMITS: Omit<ReceiveLimits, 'maxBytes'> = {
  stallMs: 10_000,
  minBytesPerSecond: 1024,
  graceMs: 30_000,
}

/**
 * Puts a file into the blob store while it arrives. Refuses it as soon as it is too large or too slow, and when the
 * client goes away; then nothing of it is left.
 */
export async function receiveUpload(
  blobs: BlobStore,
  body: AsyncIterable<Uint8Array>,
  limits: ReceiveLimits,
): Promise<StoredBlob> {
  const { maxBytes } = limits
  async function* limited() {
    let bytes = 0
    for await (const chunk of arriving(body, limits)) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new HttpError('body_too_large', { sentence: tooLarge(maxBytes), headers: CLOSE })
      yield chunk
    }
  }
  return blobs.put(limited())
}

/** The rest of the body is not read, so nothing else can come on that connection. */
const CLOSE = { connection: 'close' }

const tooLarge = (maxBytes: number) => `A file can have ${maxBytes / 2 ** 20} MB at most.`

/**
 * The pieces of a body, as long as they come fast enough: only the time that is spent waiting for the client counts.
 * Leaves the stream open, so that the client can be answered.
 */
async function* arriving(
  body: AsyncIterable<Uint8Array>,
  { stallMs, minBytesPerSecond, graceMs }: ReceiveLimits,
): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  let bytes = 0
  let waitedMs = 0
  for (;;) {
    const startMs = performance.now()
    const piece = await nextWithin(pieces, stallMs)
    if (piece.done) return
    bytes += piece.value.length
    waitedMs += performance.now() - startMs
    if (waitedMs > graceMs && bytes < (minBytesPerSecond * waitedMs) / 1000) throw tooSlow()
    yield piece.value
  }
}

/** The next piece of a body. Fails when none comes in time, and when the connection breaks off. */
async function nextWithin(pieces: AsyncIterator<Uint8Array>, stallMs: number) {
  const stalled = Promise.withResolvers<never>()
  // What arrived while the process was busy is read first.
  const timer = setTimeout(() => setImmediate(() => stalled.reject(tooSlow())), stallMs)
  try {
    const next = pieces.next().catch((cause: unknown) => {
      throw new HttpError('upload_broke_off', { cause })
    })
    return await Promise.race([next, stalled.promise])
  } finally {
    clearTimeout(timer)
    stalled.promise.catch(() => {})
  }
}

const tooSlow = () => new HttpError('upload_too_slow', { headers: CLOSE })
