import { Fault, printable } from '../tree/grasshopper-error.ts'
import type { ItemCodec } from './item-codec.ts'

/** Converts between a value and its bytes. */
export interface Packing<V> {
  /** Bytes of one element; the count before the bytes is that of elements. */
  readonly elementSize: number
  accepts(value: V): boolean
  pack(value: V): Uint8Array
  unpack(bytes: Uint8Array<ArrayBuffer>): V
}

/** The codec of a type with counted bytes as value, in XML one element with base64. */
export function bytesItem<V>(code: number, tag: string, packing: Packing<V>): ItemCodec<V> {
  const { elementSize, accepts, pack, unpack } = packing
  return {
    code,
    tags: [tag],
    accepts,
    read: (reader) => unpack(reader.readBytes(reader.readCount(elementSize, 'elements') * elementSize)),
    write(writer, value) {
      const bytes = pack(value)
      writer.writeInt32(bytes.length / elementSize)
      writer.writeBytes(bytes)
    },
    parse({ fields }) {
      const { text, length } = fields[0]!
      const bytes = parseBase64(text)
      if (length !== undefined && length !== String(bytes.length)) {
        throw new Fault(
          'malformed',
          `${printable(length)} bytes are announced, but ${bytes.length} are there`,
        )
      }
      if (bytes.length % elementSize !== 0) {
        throw new Fault('malformed', `${bytes.length} bytes do not divide into elements of ${elementSize}`)
      }
      return unpack(bytes)
    },
    format(value) {
      const bytes = pack(value)
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
      return { text: '', fields: [{ tag, text, length: String(bytes.length) }] }
    },
  }
}

function parseBase64(text: string): Uint8Array<ArrayBuffer> {
  const packed = text.replace(/\s+/g, '')
  const bytes = Buffer.from(packed, 'base64')
  // Decoding skips invalid characters, so a text is valid base64 only if encoding the bytes reproduces it.
  if (bytes.toString('base64') !== packed) throw new Fault('malformed', 'Bytes are not valid base64')
  return new Uint8Array(bytes)
}
