import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliCompress, createGunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Log } from '../../platform/log.ts'
import { ClientDisconnected } from '../abort-signal.ts'
import { acceptsGzip, BROTLI, negotiateStored } from './encodings.ts'
import { encodedTag, matchesTag } from './entity-tag.ts'
import { type GrowingBody, type StoredBody, setCacheHeaders } from './response-body.ts'

const UNPACKED_CHUNK_BYTES = 64 * 1024

/** When a client takes nothing at all for so long, its connection and the file open for it are closed. */
const STALLED_AFTER_MS = 120_000

/** Where stored bodies are, and the log for those that could not be sent to their end. */
export interface BlobSource {
  blobs: BlobStore
  log: Log
}

/** Resolves when the chunk has left for the client, so that its bytes may be overwritten. */
type WriteChunk = (chunk: Uint8Array) => Promise<void>

/** Sends a stored body in the caller's encoding, or 304 when the caller has it already. Throws when it is missing. */
export async function sendStored(
  body: StoredBody,
  request: FastifyRequest,
  reply: FastifyReply,
  { blobs, log }: BlobSource,
): Promise<FastifyReply> {
  const encoding = negotiateStored(request.headers['accept-encoding'] as string | undefined)
  const tag = encoding ? encodedTag(body.tag, encoding) : body.tag
  if (matchesTag(request.headers['if-none-match'], tag)) return setCacheHeaders(reply, tag).code(304).send()
  const isStored = encoding === 'gzip' || encoding === 'zstd'
  const digest = body.digests[isStored ? encoding : 'gzip']
  await request.share.reserveFile()
  const blob = await blobs.open(digest)
  if (!blob) throw new Error(`The blob ${digest} of an answer is missing.`)
  setCacheHeaders(reply, tag).type(body.type)
  if (encoding) reply.header('content-encoding', encoding)
  // The length in Brotli is known at its end.
  if (encoding !== 'br') reply.header('content-length', isStored ? blob.size : body.size)
  if (request.method === 'HEAD') {
    await blob.close()
    return reply.send()
  }
  return sendChunks(
    request,
    reply,
    log,
    (write) => (isStored ? blob.pour(write) : repack(blob.stream(), encoding === 'br', write)),
    isStored ? blob.size : body.size,
  )
}

/** A share of the traffic that a body takes whose length is not known yet. */
const GROWING_BYTES = 2 ** 20

/** Sends a body while it is made: in gzip, or unpacked for callers that do not accept it. */
export async function sendGrowing(
  body: GrowingBody,
  request: FastifyRequest,
  reply: FastifyReply,
  source: BlobSource,
): Promise<FastifyReply> {
  const inGzip = acceptsGzip(request.headers['accept-encoding'] as string | undefined)
  const tag = inGzip ? encodedTag(body.tag, 'gzip') : body.tag
  if (matchesTag(request.headers['if-none-match'], tag)) return setCacheHeaders(reply, tag).code(304).send()
  await request.share.reserveFile()
  await using bytes = body.open()
  if (!bytes) return sendStored(await body.stored, request, reply, source)
  setCacheHeaders(reply, tag).type('application/json; charset=utf-8')
  if (inGzip) reply.header('content-encoding', 'gzip')
  if (request.method === 'HEAD') return reply.send()
  const pour = async (write: WriteChunk) => {
    if (!inGzip) return repack(Readable.from(bytes.read()), false, write)
    for await (const chunk of bytes.read()) await write(chunk)
  }
  return await sendChunks(request, reply, source.log, pour, GROWING_BYTES)
}

/** Writes bytes in gzip without encoding, or in Brotli. */
async function repack(packed: Readable, inBrotli: boolean, write: WriteChunk): Promise<void> {
  const gunzip = createGunzip({ chunkSize: UNPACKED_CHUNK_BYTES })
  await pipeline(
    packed,
    gunzip,
    inBrotli ? createBrotliCompress(BROTLI) : new PassThrough(),
    async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) await write(chunk)
    },
  )
}

/**
 * Sends what `pour` writes, of about `bytes`, as the body of a reply whose status and headers are set. At most one chunk
 * is in memory, however slow the client is; Fastify's own streams would allocate a buffer for each chunk.
 */
export async function sendChunks(
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
  pour: (write: WriteChunk) => Promise<void>,
  bytes: number,
): Promise<FastifyReply> {
  await request.share.finish(bytes)
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  try {
    await pour(createChunkWriter(reply.raw, request.socket))
    reply.raw.end()
  } catch (error) {
    breakOff(reply.raw, request.socket)
    const isDisconnect = error instanceof ClientDisconnected
    log[isDisconnect ? 'info' : 'error'](
      { requestId: request.id, ...(!isDisconnect && { err: error }) },
      isDisconnect ? 'client went away' : 'answer broken off',
    )
  }
  return reply
}

/** Ends a response so that the client cannot take what it has for all of it. */
function breakOff(response: ServerResponse, socket: Socket): void {
  const hasEnd = response.chunkedEncoding || response.hasHeader('content-length')
  // To HTTP/1.0, such as nginx speaks by default, the end of the connection would be the end of the body.
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
      fail()
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
