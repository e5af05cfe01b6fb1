import { promisify } from 'node:util'
import { constants, type ZstdOptions, zstdCompress, zstdDecompress } from 'node:zlib'

/*
 * How versions are stored: a base is compressed by itself, every other version with the base as the dictionary of the
 * compression. What both have in common then costs next to nothing, wherever it is. There are no chains: a version is
 * read from its base and its own difference.
 */

const compress: (bytes: Uint8Array, options: ZstdOptions) => Promise<Uint8Array> = promisify(zstdCompress)
const decompress: (bytes: Uint8Array, options: ZstdOptions) => Promise<Uint8Array> = promisify(zstdDecompress)

/** The window of the compression reaches back to the beginning of the base, up to this power of two. */
const MAX_WINDOW_LOG = 27
const MIN_WINDOW_LOG = 10

/** Longer bases are not used as dictionaries: they are not in reach of the window. */
export const MAX_BASE_BYTES = 2 ** (MAX_WINDOW_LOG - 1)

/** The compression level of bases, which are few and read often. */
const BASE_LEVEL = 9
const DELTA_LEVEL = 6

export const encodeBase = (text: Uint8Array): Promise<Uint8Array> =>
  compress(text, { params: { [constants.ZSTD_c_compressionLevel]: BASE_LEVEL } })

export const decodeBase = (bytes: Uint8Array): Promise<Uint8Array> => decompress(bytes, {})

export function encodeDelta(text: Uint8Array, base: Uint8Array): Promise<Uint8Array> {
  const windowLog = Math.ceil(Math.log2(text.length + base.length + 1))
  return compress(text, {
    dictionary: base,
    params: {
      [constants.ZSTD_c_compressionLevel]: DELTA_LEVEL,
      [constants.ZSTD_c_windowLog]: Math.min(MAX_WINDOW_LOG, Math.max(MIN_WINDOW_LOG, windowLog)),
      // A difference from another base is found by its checksum.
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  })
}

/** Throws when the difference is not one from this base. */
export const decodeDelta = (delta: Uint8Array, base: Uint8Array): Promise<Uint8Array> =>
  decompress(delta, { dictionary: base, params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG } })
