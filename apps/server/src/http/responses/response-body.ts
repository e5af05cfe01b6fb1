import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

export type Encoding = 'zstd' | 'br' | 'gzip'

/** The encodings in which the blob store holds bodies. */
export type StoredEncoding = 'gzip' | 'zstd'

/** A body in one encoding, ready to send. */
export class Representation {
  readonly bytes: Uint8Array
  readonly tag: string
  readonly encoding: Encoding | undefined
  #text: string | undefined

  constructor(bytes: Uint8Array, tag: string, encoding: Encoding | undefined) {
    this.bytes = bytes
    this.tag = tag
    this.encoding = encoding
  }

  /**
   * The bytes as a string of one character each (Latin-1), made once. A head and a small body leave in one write only
   * when both are strings.
   */
  get text(): string {
    const { buffer, byteOffset, length } = this.bytes
    this.#text ??= Buffer.from(buffer, byteOffset, length).toString('latin1')
    return this.#text
  }
}

/** A JSON body, its entity tag, and the compressed forms that have been requested so far. */
export class JsonBody {
  readonly tag: string
  readonly #identity: Representation
  readonly #compressed = new Map<Encoding, Promise<Representation>>()

  /** `tag` replaces the tag made of the bytes, where the caller knows another one that changes with them. */
  constructor(json: Uint8Array | object, tag?: string) {
    const bytes = json instanceof Uint8Array ? json : Buffer.from(JSON.stringify(json))
    this.tag = tag ?? entityTag(bytes)
    this.#identity = new Representation(bytes, this.tag, undefined)
  }

  get size(): number {
    return this.#identity.bytes.length
  }

  /** Returns the form in this encoding, which is compressed once, however many requests need it at the same time. */
  in(encoding: Encoding | undefined): Representation | Promise<Representation> {
    if (encoding === undefined || this.size < MIN_COMPRESSED_BYTES) return this.#identity
    let form = this.#compressed.get(encoding)
    if (!form) {
      const tag = encodedTag(this.tag, encoding)
      form = compress(this.#identity.bytes, encoding).then(
        (bytes) => new Representation(bytes, tag, encoding),
      )
      this.#compressed.set(encoding, form)
    }
    return form
  }

  /** Returns the tag of the form in this encoding without making the form. */
  tagIn(encoding: Encoding | undefined): string {
    return encoding === undefined || this.size < MIN_COMPRESSED_BYTES
      ? this.tag
      : encodedTag(this.tag, encoding)
  }
}

/** The bytes of a blob from `start` on. */
export interface BlobPart {
  digest: string
  start: number
}

/** JSON with parts in the blob store. It is sent from there, unless all of its bytes are needed in memory. */
export class BlobJson {
  /** The entity tag, with its quotes. */
  readonly tag: string
  readonly parts: readonly (Uint8Array | BlobPart)[]
  /** The approximate size of the JSON in bytes. */
  readonly size: number

  constructor(tag: string, parts: readonly (Uint8Array | BlobPart)[], size: number) {
    this.tag = tag
    this.parts = parts
    this.size = size
  }
}

/** JSON whose entity tag is known before the body is made, so that a 304 costs nothing more. */
export class TaggedJson {
  /** The entity tag, with its quotes. */
  readonly tag: string
  /** Makes the body; its tag is a newer one when something has changed in the meantime. */
  readonly make: () => Promise<JsonBody | BlobJson>

  constructor(tag: string, make: () => Promise<JsonBody | BlobJson>) {
    this.tag = tag
    this.make = make
  }
}

/** An open source of bytes. Has to be disposed of once. */
export interface ByteReader extends AsyncDisposable {
  /** Yields the bytes from the first on, waiting for those that are not there yet. Call it once. */
  read(): AsyncIterable<Uint8Array>
}

/** A JSON body in gzip that is being made. Its length is known at its end. */
export class GrowingBody {
  /** The entity tag, with its quotes, of the bytes before compression. */
  readonly tag: string
  /** Opens the bytes in gzip; undefined when the body is complete. */
  readonly open: () => ByteReader | undefined
  /** The complete body. Rejects when it could not be made. */
  readonly stored: Promise<StoredBody>

  constructor(tag: string, open: () => ByteReader | undefined, stored: Promise<StoredBody>) {
    this.tag = tag
    this.open = open
    this.stored = stored
    // Whoever reads the bytes gets the error, so it is ignored here.
    stored.catch(() => {})
  }
}

/**
 * A body, JSON by default, that is stored compressed in the blob store, whatever its size. It is streamed from there
 * and never held in memory as a whole; for clients that accept neither encoding it is decompressed on the way.
 */
export class StoredBody {
  /** The entity tag, with its quotes, of the bytes before compression. */
  readonly tag: string
  /** The length of the bytes before compression. */
  readonly size: number
  /** The digests of the compressed forms. */
  readonly digests: Readonly<Record<StoredEncoding, string>>
  readonly type: string

  constructor(
    tag: string,
    size: number,
    digests: Record<StoredEncoding, string>,
    type = 'application/json; charset=utf-8',
  ) {
    this.type = type
    this.tag = tag
    this.size = size
    this.digests = digests
  }
}

/** A body that is written from a stored one while it is sent, whatever its size. Its length is known at its end. */
export class RewrittenBody {
  /** The entity tag, with its quotes, of the bytes before compression. */
  readonly tag: string
  readonly source: StoredBody
  readonly type: string
  /** The approximate size of the body, in bytes. */
  readonly size: number
  /** Writes the bytes of the body from those of the source. */
  readonly rewrite: (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

  constructor(
    tag: string,
    source: StoredBody,
    { type, size, rewrite }: Pick<RewrittenBody, 'type' | 'size' | 'rewrite'>,
  ) {
    this.tag = tag
    this.source = source
    this.type = type
    this.size = size
    this.rewrite = rewrite
  }
}

/** Returns a strong entity tag of a content. Each encoding of a body has its own (RFC 9110, 8.8.3.3). */
export const entityTag = (content: Uint8Array | string): string =>
  `"${hash('sha256', content, 'base64url').slice(0, 27)}"`

/** Returns the tag of the same content in another encoding. */
export const encodedTag = (tag: string, encoding: string): string => `${tag.slice(0, -1)}-${encoding}"`

/**
 * Whether `If-None-Match` names this tag, so that the response is 304. The comparison is weak, as RFC 9110 13.1.2
 * requires, since proxies turn strong tags into weak ones when they compress.
 */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((listed) => listed.trim().replace(/^W\//, '') === tag)
}

/** The encodings in order of preference, for callers that prefer none. */
const PREFERRED: readonly Encoding[] = ['zstd', 'br', 'gzip']
/** Below this size, compression costs more than it saves. */
export const MIN_COMPRESSED_BYTES = 1024
/** Up to this size compression takes well under a millisecond; larger bodies are compressed in the thread pool. */
const MAX_SYNC_BYTES = 16 * 1024

/** The maximum total length of the headers whose result is cached. */
const MAX_CACHED_LENGTH = 16 * 1024

/** Makes a function that returns the encoding that a caller prefers, or undefined for no encoding. */
function createNegotiation<E extends Encoding>(preferred: readonly E[]) {
  // Browsers and scripts send the same few headers with every request. Made-up ones may be long.
  const negotiated = new LRUCache<string, E | 'identity'>({
    maxSize: MAX_CACHED_LENGTH,
    sizeCalculation: (_, header) => header.length + 1,
  })
  return (acceptEncoding: string | undefined): E | undefined => {
    if (acceptEncoding === undefined) return undefined
    let choice = negotiated.get(acceptEncoding)
    if (choice === undefined) {
      // The types are those of negotiator 0.6, without `preferred`.
      const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }) as unknown as {
        encodings(available: string[], options: { preferred: string[] }): string[]
      }
      const wanted = negotiator.encodings([...preferred, 'identity'], { preferred: [...preferred] })[0]
      choice = (wanted as E | undefined) ?? 'identity'
      negotiated.set(acceptEncoding, choice)
    }
    return choice === 'identity' ? undefined : choice
  }
}

/** Returns the encoding for a body that is compressed when it is requested. */
export const negotiateEncoding = createNegotiation(PREFERRED)

/**
 * Returns the encoding for a body that is stored compressed in the blob store: one that it is stored in. Brotli, which
 * has to be made for each response, is for callers that accept neither.
 */
export const negotiateStored = (acceptEncoding: string | undefined): Encoding | undefined =>
  negotiateStoredForms(acceptEncoding) ?? negotiateBrotli(acceptEncoding)

/** Returns whether the caller accepts a body that is made in gzip while it is sent. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  negotiateGzip(acceptEncoding) === 'gzip'

const negotiateGzip = createNegotiation<'gzip'>(['gzip'])
const negotiateStoredForms = createNegotiation<StoredEncoding>(['zstd', 'gzip'])
const negotiateBrotli = createNegotiation<'br'>(['br'])

/** Returns the encoding for a file that is compressed once, as much as possible. */
export const negotiateFile = createNegotiation<'br' | 'gzip'>(['br', 'gzip'])

export const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

const COMPRESS = {
  zstd: { now: (bytes: Uint8Array) => zlib.zstdCompressSync(bytes), later: promisify(zlib.zstdCompress) },
  br: {
    now: (bytes: Uint8Array) => zlib.brotliCompressSync(bytes, BROTLI),
    later: (bytes: Uint8Array) => promisify(zlib.brotliCompress)(bytes, BROTLI),
  },
  gzip: { now: (bytes: Uint8Array) => zlib.gzipSync(bytes), later: promisify(zlib.gzip) },
} satisfies Record<Encoding, object>

/** Returns the bytes in this encoding; large bodies are compressed off the main thread. */
async function compress(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return bytes.length <= MAX_SYNC_BYTES ? COMPRESS[encoding].now(bytes) : COMPRESS[encoding].later(bytes)
}
