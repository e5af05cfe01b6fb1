import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodedTag, entityTag, MIN_COMPRESSED_BYTES, matchesTag, negotiateFile } from './response-body.ts'

const YEAR_S = 365 * 24 * 3600

/**
 * The policy of scripts. A worker has the policy of its own file, not that of the page. The preview compiles
 * WebAssembly.
 */
const SCRIPT_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A file in memory that is sent. It is compressed once, on first request, unless it came compressed. */
export interface StaticFile {
  type: string
  /** Whether its name contains a hash of its bytes, so that it never changes. */
  isImmutable: boolean
  tagIn(encoding: Encoding | undefined): string
  bytesIn(encoding: Encoding | undefined): Promise<Uint8Array>
  /** Whether compression makes it smaller. */
  isCompressible: boolean
}

type Encoding = 'br' | 'gzip'

/** Levels 10 and 11 make a file 7 % smaller but take 25 times as long: the first client would wait seconds. */
const BROTLI_QUALITY = 9

const COMPRESS = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

/** Creates a file; `brotli` is the same bytes as whoever made the file compressed them. */
export function createStaticFile(
  bytes: Uint8Array,
  type: string,
  isImmutable = false,
  brotli?: Uint8Array,
): StaticFile {
  const tag = entityTag(bytes)
  const isCompressible =
    bytes.length >= MIN_COMPRESSED_BYTES && !/^(image\/(?!svg)|font|application\/(gzip|zip))/.test(type)
  const compressed = new Map<Encoding, Promise<Uint8Array>>()
  if (brotli) compressed.set('br', Promise.resolve(brotli))
  return {
    type,
    isImmutable,
    isCompressible,
    tagIn: (encoding) => (encoding ? encodedTag(tag, encoding) : tag),
    async bytesIn(encoding) {
      if (!encoding) return bytes
      const result = compressed.get(encoding) ?? COMPRESS[encoding](bytes)
      compressed.set(encoding, result)
      return result
    },
  }
}

/** Sends a file in the caller's encoding, or 304 when the caller has it already. */
export async function sendStaticFile(
  file: StaticFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'] as string | undefined
  const encoding = file.isCompressible ? negotiateFile(accepted) : undefined
  const tag = file.tagIn(encoding)
  reply
    .header('etag', tag)
    .header('vary', 'Accept-Encoding')
    .header('cache-control', file.isImmutable ? `public, max-age=${YEAR_S}, immutable` : 'public, no-cache')
  if (file.type.startsWith('text/javascript')) reply.header('content-security-policy', SCRIPT_POLICY)
  if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(file.type).send(await file.bytesIn(encoding))
}
