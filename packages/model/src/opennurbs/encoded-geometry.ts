import type { EncodedGeometry } from '@meadow/contract'
import { ChunkWriter } from './chunk-writer.ts'
import { ModelFault } from './model-fault.ts'
import { TYPE } from './type-codes.ts'

/** What rhino3dm 8.35 writes in its JSON format; readers compare it with the versions of format changes. */
const FORM = { version: 10000, archive3dm: 60, opennurbs: -1869833980 } as const

/** A string cannot be longer than 2^29 characters; base64 takes four for three bytes. */
const MAX_BYTES = 384 * 1024 ** 2

export function toEncodedGeometry(
  chunk: Uint8Array,
  form: Omit<EncodedGeometry, 'data'> = FORM,
): EncodedGeometry {
  if (chunk.length > MAX_BYTES) throw new ModelFault(`an object of ${chunk.length} bytes`)
  const { version, archive3dm, opennurbs } = form
  const { buffer, byteOffset, byteLength } = chunk
  return {
    version,
    archive3dm,
    opennurbs,
    data: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
  }
}

/** Encodes the openNURBS object that `write` writes. */
export function encodeWith(write: (writer: ChunkWriter) => void): EncodedGeometry {
  const writer = new ChunkWriter()
  write(writer)
  return toEncodedGeometry(writer.toBytes())
}

/**
 * Whether the data has the frame of an openNURBS object: a class chunk of exactly this length. Damaged data
 * mostly does not, and then need not be passed to the library.
 */
export function hasObjectFrame({ data, archive3dm }: EncodedGeometry): boolean {
  const start = Buffer.from(data.slice(0, 16), 'base64')
  if (start.length < 12 || start.readUInt32LE(0) !== TYPE.class) return false
  const [length, header] =
    archive3dm >= 50 ? [Number(start.readBigInt64LE(4)), 12] : [start.readInt32LE(4), 8]
  return length + header <= Buffer.byteLength(data, 'base64')
}
