import type { IncomingMessage } from 'node:http'
import type { LinkedFile } from '../../platform/blobs/blob-links.ts'
import type { ByteRange } from '../../platform/blobs/blobs.ts'
import { type Call, writeHead } from '../call.ts'
import { HttpError } from '../http-error.ts'
import { matchesTag } from './response-body.ts'
import { type BlobSource, sendChunks } from './send-blob.ts'

/**
 * Sends a blob, or a range of it, as a file to be saved, with the conditions of RFC 9110: 304, 412, 206, 416.
 * Throws when the blob is missing.
 */
export async function sendFile(
  { digest, fileName, mediaType, isImmutable }: LinkedFile,
  call: Call,
  { blobs, log }: BlobSource,
): Promise<void> {
  const { request, responseHeaders, quota } = call
  const { headers, method } = request
  const tag = `"${digest}"`
  if (headers['if-match'] !== undefined && !matchesStrongly(headers['if-match'], tag)) {
    throw new HttpError('precondition_failed')
  }
  // A cached copy is used again only after the server has checked that the link is still valid.
  const caching = {
    etag: tag,
    'cache-control': isImmutable ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    vary: responseHeaders.vary ?? 'Authorization',
  }
  if (matchesTag(headers['if-none-match'], tag)) {
    writeHead(call, 304, caching).end()
    return
  }
  await quota.reserveFile()
  const blob = await blobs.open(digest)
  if (!blob) throw new Error(`The blob ${digest} of a download is missing.`)
  const range = wantsRange(request, tag) ? readRange(headers.range, blob.size) : undefined
  if (range === 'unsatisfiable' || method === 'HEAD') await blob.close()
  if (range === 'unsatisfiable') {
    throw new HttpError('range_not_satisfiable', { headers: { 'content-range': `bytes */${blob.size}` } })
  }
  const bytes = range ? range.end + 1 - range.start : blob.size
  const sha256 = Buffer.from(digest, 'hex').toString('base64')
  const status = range ? 206 : 200
  const head = {
    ...caching,
    'content-type': mediaType,
    'content-disposition': attachment(fileName),
    'accept-ranges': 'bytes',
    // These are digests of the whole file even when a range is sent, as in RFC 9530 and in the older RFC 3230.
    'repr-digest': `sha-256=:${sha256}:`,
    digest: `sha-256=${sha256}`,
    'content-length': bytes,
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${blob.size}` }),
  }
  if (method === 'HEAD') writeHead(call, status, head).end()
  else await sendChunks(call, { status, headers: head, bytes }, (write) => blob.pour(write, range), log)
}

/** Whether `If-Match` names the tag. It compares strong tags only (RFC 9110, 13.1.1). */
const matchesStrongly = (ifMatch: string, tag: string): boolean =>
  ifMatch.trim() === '*' || ifMatch.split(',').some((listed) => listed.trim() === tag)

/** Whether the `Range` of a request counts: for GET only, and only if the file is the one that `If-Range` names. */
function wantsRange({ method, headers }: IncomingMessage, tag: string): boolean {
  const condition = headers['if-range']
  return method === 'GET' && (condition === undefined || condition === tag)
}

/** One range: a first and a last byte, a first byte only, or the length of the end. */
const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i

/**
 * Returns the range that a `Range` header names in a file of `size` bytes; undefined for the whole file. Several
 * ranges, and malformed headers, are answered with the whole file, as RFC 9110 14.2 allows.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start > end ? 'unsatisfiable' : { start, end }
}

/** The characters that `encodeURIComponent` leaves as they are though an RFC 8187 value may not hold them. */
const LEFT_UNENCODED = /['()*]/g

/** The characters of a quoted string that need no escape, except the percent sign, which some clients decode. */
const PLAIN = /^[ !#-$&-.0-[\]-~]*$/

/**
 * Returns the `Content-Disposition` for a file to be saved under this name, whatever characters it has (RFC 6266): an
 * ASCII name for old clients, and the exact one where the two differ.
 */
export function attachment(fileName: string): string {
  const name = fileName.toWellFormed()
  if (PLAIN.test(name)) return `attachment; filename="${name}"`
  return `attachment; filename="${toPlain(name)}"; filename*=UTF-8''${encode(name)}`
}

const toPlain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^ !#-$&-.0-[\]-~]+/g, '_')

const encode = (name: string): string =>
  encodeURIComponent(name).replace(
    LEFT_UNENCODED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
