import { createGunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BlobStore, OpenBlob } from '../platform/blobs/blobs.ts'
import type { Log } from '../platform/log.ts'
import { describeAnswer } from './describe-answer.ts'
import { negotiateStored } from './encodings.ts'
import { encodedTag, matchesTag } from './entity-tag.ts'
import type { WritePiece } from './piece-writer.ts'
import { sendPieces } from './send-pieces.ts'
import type { StoredBody } from './stored-body.ts'

const UNPACKED_PIECE_BYTES = 64 * 1024

/** Where stored bodies are, and where it is told that one could not be sent to its end. */
export interface StoredBodies {
  blobs: BlobStore
  log: Log
}

/** Sends a stored body in the caller's encoding, or 304 when the caller has it already. Throws when it is missing. */
export async function sendStored(
  body: StoredBody,
  request: FastifyRequest,
  reply: FastifyReply,
  { blobs, log }: StoredBodies,
): Promise<FastifyReply> {
  const encoding = negotiateStored(request.headers['accept-encoding'] as string | undefined)
  const tag = encoding ? encodedTag(body.tag, encoding) : body.tag
  if (matchesTag(request.headers['if-none-match'], tag)) return describeAnswer(reply, tag).code(304).send()
  const digest = body.digests[encoding ?? 'gzip']
  await request.share.reserveFile()
  const blob = await blobs.open(digest)
  if (!blob) throw new Error(`The blob ${digest} of an answer is missing.`)
  describeAnswer(reply, tag)
    .type(body.type)
    .header('content-length', encoding ? blob.size : body.size)
  if (encoding) reply.header('content-encoding', encoding)
  if (request.method === 'HEAD') {
    await blob.close()
    return reply.send()
  }
  return sendPieces(request, reply, log, (write) => (encoding ? blob.pour(write) : unpack(blob, write)))
}

async function unpack(blob: OpenBlob, write: WritePiece): Promise<void> {
  const gunzip = createGunzip({ chunkSize: UNPACKED_PIECE_BYTES })
  const packed = blob.stream().on('error', (error) => gunzip.destroy(error))
  try {
    for await (const piece of packed.pipe(gunzip)) await write(piece)
  } finally {
    packed.destroy()
  }
}
