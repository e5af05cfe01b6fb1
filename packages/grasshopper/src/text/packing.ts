import { deflateAsZlib, inflateRaw } from '@meadow/inflate'
import { deflateSync } from 'fflate'

/**
 * How a stream of DEFLATE is made of its bytes. `zlib`, `zlib-flushed`: as Grasshopper does; `meadow`: as `writeArchive`
 * does; `kept`: in a way that is not known, so that the stream itself is kept.
 */
export const PACKINGS = ['zlib', 'zlib-flushed', 'meadow', 'kept'] as const
export type Packing = (typeof PACKINGS)[number]

/** The end of a stream that was flushed before it was closed: an empty stored block, and an empty last one. */
const FLUSHED_END = Buffer.from('0000ffff0300', 'hex')

/** Makes the stream of a packing; what is kept otherwise is packed as Meadow does. */
export function pack(bytes: Uint8Array, packing: Packing): Uint8Array {
  if (packing === 'zlib') return deflateAsZlib(bytes)
  if (packing === 'zlib-flushed') return deflateAsZlib(bytes, true)
  return deflateSync(bytes)
}

/** The packing that gives this stream, byte by byte. */
export function findPacking(stream: Uint8Array, bytes: Uint8Array): Packing {
  const packed = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength)
  const isFlushed = packed.subarray(-FLUSHED_END.length).equals(FLUSHED_END)
  const tried: Packing[] = isFlushed ? ['zlib-flushed'] : ['zlib', 'meadow']
  return tried.find((packing) => packed.equals(pack(bytes, packing))) ?? 'kept'
}

/** The stream of these bytes: the kept one if it still is of them. Notes it if another one takes its place. */
export function packOrKeep(
  bytes: Uint8Array,
  packing: Packing,
  kept: Uint8Array<ArrayBuffer> | undefined,
  what: string,
  notes: string[],
): Uint8Array<ArrayBuffer> {
  if (kept && isStreamOf(kept, bytes)) return kept
  if (packing === 'kept')
    notes.push(`${what} was changed, so that it is compressed anew instead of in the way that was kept`)
  return new Uint8Array(pack(bytes, packing))
}

function isStreamOf(stream: Uint8Array, expected: Uint8Array): boolean {
  const { end, bytes, packedBytes } = inflateRaw(stream, expected.length)
  return end === 'whole' && packedBytes === stream.length && Buffer.from(bytes).equals(expected)
}
