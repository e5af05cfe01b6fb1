import { deflateAsZlib } from '@meadow/inflate'
import { deflateSync } from 'fflate'

/** How bytes are deflated: `zlib` and `zlib-flushed` as in Grasshopper up to Rhino 7, `meadow` as in `writeArchive`. */
export type Packing = 'zlib' | 'zlib-flushed' | 'meadow'

/** The end of a stream that was flushed before it was closed: an empty stored block, and an empty last one. */
const FLUSHED_END = Buffer.from('0000ffff0300', 'hex')

/** Makes the stream of a packing. */
export function pack(bytes: Uint8Array, packing: Packing): Uint8Array {
  if (packing === 'zlib') return deflateAsZlib(bytes)
  if (packing === 'zlib-flushed') return deflateAsZlib(bytes, true)
  return deflateSync(bytes)
}

/** The packing that gives this stream of `bytes`, byte by byte; `meadow` if none does. */
export function findPacking(stream: Uint8Array, bytes: Uint8Array): Packing {
  const packed = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength)
  const packing = packed.subarray(-FLUSHED_END.length).equals(FLUSHED_END) ? 'zlib-flushed' : 'zlib'
  return packed.equals(pack(bytes, packing)) ? packing : 'meadow'
}
