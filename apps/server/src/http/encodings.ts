import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import type { StoredEncoding } from './stored-body.ts'

export type Encoding = 'zstd' | 'br' | 'gzip'

/** The best first, when the caller likes them equally. */
const PREFERRED: readonly Encoding[] = ['zstd', 'br', 'gzip']
/** Below this a compressed body saves less than it costs. */
export const MIN_COMPRESSED_BYTES = 1024
/** Up to this size compressing takes well under a millisecond; a larger body goes to the thread pool. */
const MAX_SYNC_BYTES = 16 * 1024

/** Of all headers together whose negotiation is remembered. */
const MAX_KNOWN_LENGTH = 16 * 1024

/** Tells which of some encodings a caller likes best, or undefined to send the bytes as they are. */
function createNegotiation<E extends Encoding>(preferred: readonly E[]) {
  // Few distinct headers arrive, each of them on every request. Those that are made up may be long.
  const negotiated = new LRUCache<string, E | 'identity'>({
    maxSize: MAX_KNOWN_LENGTH,
    sizeCalculation: (_, header) => header.length + 1,
  })
  return (acceptEncoding: string | undefined): E | undefined => {
    if (acceptEncoding === undefined) return undefined
    let choice = negotiated.get(acceptEncoding)
    if (choice === undefined) {
      // The types are of negotiator 0.6, which had no preference.
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

/** For a body that is compressed when it is asked for. */
export const negotiateEncoding = createNegotiation(PREFERRED)

/** For a body that lies compressed in the blob store. */
export const negotiateStored = createNegotiation<StoredEncoding>(['zstd', 'gzip'])

/** For a file that is compressed once, as far as can be. */
export const negotiateFile = createNegotiation<'br' | 'gzip'>(['br', 'gzip'])

const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

const COMPRESS = {
  zstd: { now: (bytes: Uint8Array) => zlib.zstdCompressSync(bytes), later: promisify(zlib.zstdCompress) },
  br: {
    now: (bytes: Uint8Array) => zlib.brotliCompressSync(bytes, BROTLI),
    later: (bytes: Uint8Array) => promisify(zlib.brotliCompress)(bytes, BROTLI),
  },
  gzip: { now: (bytes: Uint8Array) => zlib.gzipSync(bytes), later: promisify(zlib.gzip) },
} satisfies Record<Encoding, object>

/** The bytes in that encoding; large ones are compressed off the main thread. */
export async function compress(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return bytes.length <= MAX_SYNC_BYTES ? COMPRESS[encoding].now(bytes) : COMPRESS[encoding].later(bytes)
}
