import { crc32 } from 'node:zlib'
import { inflateRaw } from '@meadow/inflate'

/** RFC 1952: without a name or anything else that `node:zlib` leaves out. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0])
const HEADER_BYTES = 10
const TRAILER_BYTES = 8

/**
 * The bytes that `putCompressed` packed, of which there are `size`, in threads that may be ended at any moment (see
 * `receiveBodies`). Fails when these are others.
 */
export function gunzip(packed: Buffer, size: number): Buffer {
  const { end, bytes, packedBytes } = inflateRaw(packed.subarray(HEADER_BYTES), size)
  const trailerAt = HEADER_BYTES + packedBytes
  const isWhole =
    packed.subarray(0, HEADER.length).equals(HEADER) &&
    end === 'whole' &&
    bytes.length === size &&
    packed.length === trailerAt + TRAILER_BYTES &&
    packed.readUInt32LE(trailerAt) === crc32(bytes)
  if (!isWhole) throw new Error('A body in the blob store is damaged.')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
