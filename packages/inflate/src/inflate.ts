import {
  Z_BUF_ERROR,
  Z_NO_FLUSH,
  Z_OK,
  Z_STREAM_END,
  ZStream,
  zlibInflate,
  zlibInflateEnd,
  zlibInflateInit2,
} from 'pako'

/**
 * Why inflating ended: at the end of the stream, at the end of the input, at invalid data, or at the limit.
 */
export type InflateEnd = 'whole' | 'truncated' | 'damaged' | 'too_large'

export interface Inflated {
  /** Why it ended. */
  end: InflateEnd
  /** The bytes inflated so far, in a buffer of their own. */
  bytes: Uint8Array<ArrayBuffer>
  /** The number of packed bytes consumed. */
  packedBytes: number
}

/** zlib's parameter for a raw stream with any window size. */
const RAW = -15
const WRAPPED = 15

/** The initial size of the output buffer, which grows as necessary. */
const FIRST_BYTES = 2 ** 16

/**
 * Inflates a raw DEFLATE stream (RFC 1951) of up to `maxBytes`; data after the stream is ignored. Never throws.
 * Time and memory are linear in the packed and inflated bytes, up to the limit.
 */
export const inflateRaw = (packed: Uint8Array, maxBytes: number): Inflated => inflate(packed, maxBytes, RAW)

/** Inflates a zlib stream (RFC 1950) and verifies its checksum. */
export const inflateZlib = (packed: Uint8Array, maxBytes: number): Inflated =>
  inflate(packed, maxBytes, WRAPPED)

function inflate(packed: Uint8Array, maxBytes: number, windowBits: number): Inflated {
  const stream = new ZStream()
  zlibInflateInit2(stream, windowBits)
  stream.input = packed
  stream.avail_in = packed.length
  let out = new Uint8Array(Math.min(maxBytes, FIRST_BYTES))
  let length = 0
  for (;;) {
    const isFull = length === maxBytes
    // At the limit there is separate room for one more byte, to detect whether there is one.
    const room = isFull ? new Uint8Array(1) : out
    stream.output = room
    stream.next_out = isFull ? 0 : length
    stream.avail_out = room.length - stream.next_out
    const status = zlibInflate(stream, Z_NO_FLUSH)
    if (!isFull) length = stream.next_out
    const end = isFull && stream.next_out > 0 ? 'too_large' : findEnd(status, stream.avail_out)
    if (end) {
      zlibInflateEnd(stream)
      return { end, bytes: out.subarray(0, length), packedBytes: stream.next_in }
    }
    if (length < maxBytes) out = grow(out, Math.min(maxBytes, 2 * out.length))
  }
}

/** Undefined when inflating continues once there is room. */
function findEnd(status: number, room: number): InflateEnd | undefined {
  if (status === Z_STREAM_END) return 'whole'
  if (status !== Z_OK && status !== Z_BUF_ERROR) return 'damaged'
  return room > 0 ? 'truncated' : undefined
}

function grow(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(length)
  grown.set(bytes)
  return grown
}
