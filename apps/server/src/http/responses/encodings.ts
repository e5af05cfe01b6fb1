import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

export type Encoding = 'zstd' | 'br' | 'gzip'

/** The encodings in which the blob store holds bodies. */
export type StoredEncoding = 'gzip' | 'zstd'

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
export async function compress(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return bytes.length <= MAX_SYNC_BYTES ? COMPRESS[encoding].now(bytes) : COMPRESS[encoding].later(bytes)
}
