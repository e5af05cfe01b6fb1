import { Deflate, Z_FINISH, Z_SYNC_FLUSH } from 'pako'

/** zlib's own defaults, which .NET uses for `CompressionLevel.Optimal`. */
const AS_ZLIB = { raw: true, level: 6, memLevel: 8, windowBits: 15, legacyHash: true } as const

/**
 * The raw DEFLATE stream that the original zlib makes of `bytes` at its default level, byte by byte, whichever zlib this
 * Node has: that of browsers and Node finds other repetitions. `isFlushed`: with a flush before the end, as a
 * `DeflateStream` of .NET writes that was flushed before it was closed.
 */
export function deflateAsZlib(bytes: Uint8Array, isFlushed = false): Uint8Array<ArrayBuffer> {
  const deflate = new Deflate({ ...AS_ZLIB, chunkSize: 65_536 })
  if (isFlushed) deflate.push(bytes, Z_SYNC_FLUSH)
  deflate.push(isFlushed ? new Uint8Array() : bytes, Z_FINISH)
  if (deflate.err !== 0) throw new Error(`Deflating failed: ${deflate.msg || deflate.err}`)
  return deflate.result as Uint8Array<ArrayBuffer>
}
