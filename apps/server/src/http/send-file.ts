import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LinkedFile } from '../platform/blobs/blob-links.ts'
import { readRange } from './byte-range.ts'
import { attachment } from './content-disposition.ts'
import { matchesTag } from './entity-tag.ts'
import { HttpError } from './http-error.ts'
import { sendPieces } from './send-pieces.ts'
import type { StoredBodies } from './send-stored.ts'

/**
 * Sends a blob as a file to be kept, or a part of it, heeding the conditions of RFC 9110: 304, 412, 206, 416.
 * Throws when the blob is missing.
 */
export async function sendFile(
  { digest, fileName, mediaType }: LinkedFile,
  request: FastifyRequest,
  reply: FastifyReply,
  { blobs, log }: StoredBodies,
): Promise<FastifyReply> {
  const { headers, method } = request
  const tag = `"${digest}"`
  if (headers['if-match'] !== undefined && !matchesStrongly(headers['if-match'], tag)) {
    throw new HttpError('precondition_failed')
  }
  if (matchesTag(headers['if-none-match'], tag)) return describe(reply, tag).code(304).send()
  await request.share.reserveFile()
  const blob = await blobs.open(digest)
  if (!blob) throw new Error(`The blob ${digest} of a download is missing.`)
  const range = wantsPart(request, tag) ? readRange(headers.range, blob.size) : undefined
  if (range === 'unsatisfiable' || method === 'HEAD') await blob.close()
  if (range === 'unsatisfiable') {
    throw new HttpError('range_not_satisfiable', { headers: { 'content-range': `bytes */${blob.size}` } })
  }
  const sha256 = Buffer.from(digest, 'hex').toString('base64')
  describe(reply, tag)
    .type(mediaType)
    .header('content-disposition', attachment(fileName))
    .header('x-content-type-options', 'nosniff')
    .header('accept-ranges', 'bytes')
    // Of the whole file, whatever part of it is sent: in the words of RFC 9530, and in the older ones of RFC 3230.
    .header('repr-digest', `sha-256=:${sha256}:`)
    .header('digest', `sha-256=${sha256}`)
    .header('content-length', range ? range.end + 1 - range.start : blob.size)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${blob.size}`)
  if (method === 'HEAD') return reply.send()
  return sendPieces(request, reply, log, (write) => blob.pour(write, range))
}

/** A copy is shown again only after a look at whether the link still works. */
const describe = (reply: FastifyReply, tag: string): FastifyReply =>
  reply.header('etag', tag).header('cache-control', 'private, no-cache').header('vary', 'Authorization')

/** `Range` is for GET alone, and not for a file that is another one than `If-Range` names. */
function wantsPart({ method, headers }: FastifyRequest, tag: string): boolean {
  const condition = headers['if-range']
  return method === 'GET' && (condition === undefined || condition === tag)
}

/** `If-Match` takes strong tags only (RFC 9110, 13.1.1). */
const matchesStrongly = (ifMatch: string, tag: string): boolean =>
  ifMatch.trim() === '*' || ifMatch.split(',').some((given) => given.trim() === tag)
