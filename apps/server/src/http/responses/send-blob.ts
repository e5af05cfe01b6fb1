import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliCompress, createGunzip, createGzip, createZstdCompress } from 'node:zlib'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Log } from '../../platform/log.ts'
import { CACHE_HEADERS, type Call, ClientDisconnected, sendNotModified, writeHead } from '../call.ts'
import {
  acceptsGzip,
  BROTLI,
  type Encoding,
  encodedTag,
  type GrowingBody,
  matchesTag,
  negotiateStored,
  type RewrittenBody,
  type StoredBody,
} from './response-body.ts'

const UNPACKED_CHUNK_BYTES = 64 * 1024

/** When a client takes nothing at all for this time, its connection and the file open for it are closed. */
const STALLED_AFTER_MS = 120_000

/** The store of the bodies, and the log for those that could not be sent to their end. */
export interface BlobSource {
  blobs: BlobStore
  log: Log
}

/** Resolves when the chunk has left for the client, so that its bytes may be overwritten. */
export type WriteChunk = (chunk: Uint8Array) => Promise<void>

/** Sends a stored body in the caller's encoding, or 304 when the caller has it already. Throws when it is missing. */
export async function sendStored(body: StoredBody, call: Call, { blobs, log }: BlobSource): Promise<void> {
  const { request, quota } = call
  const encoding = negotiateStored(request.headers['accept-encoding'] as string | undefined)
  const tag = encoding ? encodedTag(body.tag, encoding) : body.tag
  if (matchesTag(request.headers['if-none-match'], tag)) return sendNotModified(call, tag)
  const isStored = encoding === 'gzip' || encoding === 'zstd'
  const digest = body.digests[isStored ? encoding : 'gzip']
  await quota.reserveFile()
  const blob = await blobs.open(digest)
  if (!blob) throw new Error(`The blob ${digest} of an answer is missing.`)
  const bytes = isStored ? blob.size : body.size
  const headers = {
    etag: tag,
    ...CACHE_HEADERS,
    'content-type': body.type,
    ...(encoding && { 'content-encoding': encoding }),
    // The length of a body in Brotli is known only at its end.
    ...(encoding !== 'br' && { 'content-length': bytes }),
  }
  if (request.method === 'HEAD') {
    await blob.close()
    writeHead(call, 200, headers).end()
    return
  }
  const pour = (write: WriteChunk) => (isStored ? blob.pour(write) : repack(blob.stream(), encoding, write))
  await sendChunks(call, { status: 200, headers, bytes }, pour, log)
}

/** The number of bytes that is counted for a body whose length is not known yet. */
const GROWING_BYTES = 2 ** 20

/** Sends a body while it is made: in gzip, or unpacked for callers that do not accept it. */
export async function sendGrowing(body: GrowingBody, call: Call, source: BlobSource): Promise<void> {
  const { request, quota } = call
  const inGzip = acceptsGzip(request.headers['accept-encoding'] as string | undefined)
  const tag = inGzip ? encodedTag(body.tag, 'gzip') : body.tag
  if (matchesTag(request.headers['if-none-match'], tag)) return sendNotModified(call, tag)
  await quota.reserveFile()
  await using bytes = body.open()
  if (!bytes) return sendStored(await body.stored, call, source)
  const headers = {
    etag: tag,
    ...CACHE_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    ...(inGzip && { 'content-encoding': 'gzip' }),
  }
  if (request.method === 'HEAD') {
    writeHead(call, 200, headers).end()
    return
  }
  const pour = async (write: WriteChunk) => {
    if (!inGzip) return repack(Readable.from(bytes.read()), undefined, write)
    for await (const chunk of bytes.read()) await write(chunk)
  }
  await sendChunks(call, { status: 200, headers, bytes: GROWING_BYTES }, pour, source.log)
}

/** Sends a body while it is written from a stored one, or 304 when the caller has it already. */
export async function sendRewritten(
  body: RewrittenBody,
  call: Call,
  { blobs, log }: BlobSource,
): Promise<void> {
  const { request, quota } = call
  const encoding = negotiateStored(request.headers['accept-encoding'] as string | undefined)
  const tag = encoding ? encodedTag(body.tag, encoding) : body.tag
  const cacheHeaders = { ...CACHE_HEADERS, vary: `${CACHE_HEADERS.vary}, Accept` }
  if (matchesTag(request.headers['if-none-match'], tag)) return sendNotModified(call, tag, cacheHeaders)
  await quota.reserveFile()
  const headers = {
    etag: tag,
    ...cacheHeaders,
    'content-type': body.type,
    ...(encoding && { 'content-encoding': encoding }),
  }
  if (request.method === 'HEAD') {
    writeHead(call, 200, headers).end()
    return
  }
  const digest = body.source.digests.gzip
  const blob = await blobs.open(digest)
  if (!blob) throw new Error(`The blob ${digest} of an answer is missing.`)
  const pour = (write: WriteChunk) => repack(blob.stream(), encoding, write, body.rewrite)
  await sendChunks(call, { status: 200, headers, bytes: body.size }, pour, log)
}

const COMPRESSORS: Record<Encoding, () => Duplex> = {
  br: () => createBrotliCompress(BROTLI),
  gzip: () => createGzip(),
  zstd: () => createZstdCompress(),
}

/** Decompresses bytes in gzip, and writes them, or what `rewrite` makes of them, in an encoding. */
async function repack(
  packed: Readable,
  encoding: Encoding | undefined,
  write: WriteChunk,
  rewrite?: RewrittenBody['rewrite'],
): Promise<void> {
  const gunzip = createGunzip({ chunkSize: UNPACKED_CHUNK_BYTES })
  const encode = encoding ? COMPRESSORS[encoding]() : new PassThrough()
  const writeAll = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) await write(chunk)
  }
  if (rewrite) await pipeline(packed, gunzip, rewrite, encode, writeAll)
  else await pipeline(packed, gunzip, encode, writeAll)
}

interface Head {
  status: number
  headers: OutgoingHttpHeaders
  /** The length of the body, as far as it is known. */
  bytes: number
}

/**
 * Sends a body that `pour` writes. At most one chunk is in memory, however slow the client is; Node's own streams would
 * allocate a buffer for each chunk.
 */
export async function sendChunks(
  call: Call,
  { status, headers, bytes }: Head,
  pour: (write: WriteChunk) => Promise<void>,
  log: Log,
): Promise<void> {
  const { id, request, response, quota } = call
  await quota.finish(bytes)
  writeHead(call, status, headers)
  try {
    await pour(createChunkWriter(response, request.socket))
    response.end()
  } catch (error) {
    breakOff(response, request.socket)
    const isDisconnect = error instanceof ClientDisconnected
    log[isDisconnect ? 'info' : 'error'](
      { requestId: id, ...(!isDisconnect && { err: error }) },
      isDisconnect ? 'client went away' : 'answer broken off',
    )
  }
}

/** Ends a response so that the client cannot mistake what it has for the whole body. */
function breakOff(response: ServerResponse, socket: Socket): void {
  const hasEnd = response.chunkedEncoding || response.hasHeader('content-length')
  // In HTTP/1.0, which nginx speaks by default, the end of the connection would be the end of the body.
  if (hasEnd) response.destroy()
  else socket.resetAndDestroy()
}

/** Writes a response chunk by chunk, no faster than the client reads. Fails with {@link ClientDisconnected}. */
function createChunkWriter(response: ServerResponse, socket: Socket): WriteChunk {
  response.setTimeout(STALLED_AFTER_MS, () => response.destroy())
  // A response that waits behind another one of its connection has no 'close' event: the socket has.
  const disconnected = new Promise<never>((_, reject) => {
    const fail = () => reject(new ClientDisconnected())
    if (socket.destroyed) fail()
    socket.once('close', fail)
    response.once('close', () => {
      socket.off('close', fail)
      if (!response.writableFinished) fail()
    })
  })
  disconnected.catch(() => {})
  return (chunk) =>
    Promise.race([
      disconnected,
      new Promise<void>((resolve) => {
        response.write(chunk, (error) => {
          // After an error the connection closes, which rejects the other promise.
          if (!error) resolve()
        })
      }),
    ])
}
