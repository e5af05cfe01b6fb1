import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ByteRange, OpenBlob } from '../blobs.ts'
import type { S3Client } from './s3-client.ts'
import { ObjectStoreError, ObjectStoreUnavailableError } from './store-errors.ts'

/** How often reading goes on after a lost connection without another byte in between. */
const MAX_FAILURES = 3

/** An answer that nobody wants is read to its end if at most this is left, so that its connection can be used again. */
const DRAINED_BYTES = 64 * 1024

/** The error when the bytes of a blob do not have its digest. */
export class DamagedBlobError extends Error {
  override readonly name = 'DamagedBlobError'

  constructor(digest: string) {
    super(`The blob ${digest} is damaged: its bytes in the object store have another digest.`)
  }
}

/** Makes a blob of an answer that has begun to arrive: `first` has all its bytes. */
export function openObject(
  client: S3Client,
  { key, digest, first }: { key: string; digest: string; first: IncomingMessage },
): OpenBlob {
  const size = Number(first.headers['content-length'])
  let isTaken = false
  first.on('error', () => {})

  function discardFirst(): void {
    isTaken = true
    if (size <= DRAINED_BYTES) first.resume()
    else first.destroy()
  }

  function read(range: ByteRange = { start: 0, end: size - 1 }): AsyncGenerator<Uint8Array> {
    const isWhole = range.start === 0 && range.end === size - 1
    if (!isWhole) discardFirst()
    isTaken = true
    const bytes = readRange(client, key, range, isWhole ? first : undefined)
    return isWhole ? checkDigest(bytes, digest) : bytes
  }

  return {
    size,
    stream: (range) => Readable.from(read(range), { objectMode: false }),
    async pour(take, range) {
      for await (const chunk of read(range)) await take(chunk)
    },
    async close() {
      if (!isTaken) discardFirst()
    },
  }
}

/** Yields the bytes of a range; after a lost or stalled connection, it goes on where it was. */
async function* readRange(
  client: S3Client,
  key: string,
  { start, end }: ByteRange,
  first: IncomingMessage | undefined,
): AsyncGenerator<Uint8Array> {
  let response = first
  let position = start
  let failures = 0
  if (start > end) response?.resume()
  while (position <= end) {
    try {
      response ??= await requestRange(client, key, { start: position, end })
      for await (const chunk of client.read(response)) {
        if (position + chunk.length > end + 1)
          throw new ObjectStoreError(502, 'it sent more than was asked for')
        position += chunk.length
        failures = 0
        yield chunk
      }
      if (position <= end) throw new Error('The answer of the object store broke off.')
    } catch (error) {
      if (error instanceof ObjectStoreError || error instanceof ObjectStoreUnavailableError) throw error
      if (++failures > MAX_FAILURES) throw new ObjectStoreUnavailableError(error)
      response = undefined
    }
  }
}

async function requestRange(
  client: S3Client,
  key: string,
  { start, end }: ByteRange,
): Promise<IncomingMessage> {
  const response = await client.request({ method: 'GET', key, headers: { range: `bytes=${start}-${end}` } })
  const isPart =
    response.statusCode === 206 && response.headers['content-range']?.startsWith(`bytes ${start}-`)
  const isWhole = response.statusCode === 200 && start === 0
  if (isPart || isWhole) return response
  response.destroy()
  throw new ObjectStoreError(502, 'it does not send parts of objects')
}

/**
 * Yields the same bytes, the last of them only when all have the digest: no reader gets a whole blob with wrong bytes.
 */
async function* checkDigest(chunks: AsyncIterable<Uint8Array>, digest: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let held: Uint8Array | undefined
  for await (const chunk of chunks) {
    hash.update(chunk)
    if (held) yield held
    held = chunk
  }
  if (hash.digest('hex') !== digest) throw new DamagedBlobError(digest)
  if (held) yield held
}
