import type { BlobStore, OpenBlob } from '../../platform/blobs/blobs.ts'
import { CACHE_HEADERS, type Call, type RequestQuota, sendNotModified, writeHead } from '../call.ts'
import { type BlobJson, JsonBody, matchesTag } from './response-body.ts'
import { type BlobSource, sendChunks, type WriteChunk } from './send-blob.ts'

/**
 * Sends JSON without encoding from the blob store, or 304 when the caller has it already. Throws when a part is
 * missing.
 */
export async function sendBlobJson(body: BlobJson, call: Call, { blobs, log }: BlobSource): Promise<void> {
  const { request, quota } = call
  if (matchesTag(request.headers['if-none-match'], body.tag)) return sendNotModified(call, body.tag)
  await quota.reserveFile()
  await using parts = await openParts(body, blobs)
  const headers = {
    etag: body.tag,
    ...CACHE_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': parts.size,
  }
  if (request.method === 'HEAD') {
    writeHead(call, 200, headers).end()
    return
  }
  await sendChunks(call, { status: 200, headers, bytes: parts.size }, parts.pour, log)
}

/** A blob whose bytes from `start` on are sent, with other bytes before and after them. */
interface OpenPart {
  blob: OpenBlob
  before: Uint8Array[]
  start: number
  after: Uint8Array[]
}

/** Opens all blobs of a body, two at most, or none when one is missing. */
async function openParts(body: BlobJson, blobs: BlobStore) {
  await using opening = new AsyncDisposableStack()
  const opened: OpenPart[] = []
  let size = 0
  let bytes: Uint8Array[] = []
  for (const part of body.parts) {
    if (part instanceof Uint8Array) {
      bytes.push(part)
      size += part.length
      continue
    }
    const blob = await blobs.open(part.digest)
    if (!blob) throw missing(part.digest)
    opening.defer(() => blob.close())
    opened.push({ blob, before: bytes, start: part.start, after: [] })
    size += blob.size - part.start
    bytes = []
  }
  opened.at(-1)?.after.push(...bytes)
  const files = opening.move()
  return {
    size,
    async pour(write: WriteChunk) {
      for (const part of opened) await pourPart(part, write)
    },
    [Symbol.asyncDispose]: () => files.disposeAsync(),
  }
}

/** Sends a blob and the bytes around it, which leave in the same writes as its first and its last chunk. */
async function pourPart({ blob, before, start, after }: OpenPart, write: WriteChunk): Promise<void> {
  let left = blob.size - start
  let unwritten = before
  await blob.pour(
    async (chunk) => {
      left -= chunk.length
      await Promise.all([...unwritten, chunk, ...(left === 0 ? after : [])].map(write))
      unwritten = []
    },
    { start, end: blob.size - 1 },
  )
}

/** Memory is taken by the bytes themselves, and by the response that is made of them. */
const COPIES = 2

/** Reads all bytes of JSON with parts in the blob store into memory, once there is room for them. */
export async function readBlobJson(
  body: BlobJson,
  quota: Pick<RequestQuota, 'reserve'>,
  blobs: BlobStore,
): Promise<JsonBody> {
  await quota.reserve(COPIES * body.size)
  const parts = body.parts.map(async (part) => {
    if (part instanceof Uint8Array) return part
    const bytes = await blobs.read(part.digest)
    if (!bytes) throw missing(part.digest)
    return bytes.subarray(part.start)
  })
  return new JsonBody(Buffer.concat(await Promise.all(parts)), body.tag)
}

const missing = (digest: string) => new Error(`The blob ${digest} of a response is missing.`)
