import { Fault, printable } from '../tree/grasshopper-error.ts'
import type { BinaryReader } from './binary-reader.ts'
import type { BinaryWriter } from './binary-writer.ts'
import type { ItemCodec } from './item-codec.ts'
import type { DigitStyle } from './number-text.ts'

/** Encodes and decodes a single value, as bytes and as text. */
export interface Scalar<V> {
  /** Whether the type can hold the value; called before `write` and `format`. */
  accepts(value: V): boolean
  read(reader: BinaryReader): V
  write(writer: BinaryWriter, value: V): void
  /** The value of a trimmed text; undefined for an invalid one. */
  parse(text: string): V | undefined
  format(value: V, style: DigitStyle): string
}

export function parseScalar<V>(scalar: Scalar<V>, text: string): V {
  const value = scalar.parse(text)
  if (value === undefined) throw new Fault('malformed', `"${printable(text)}" is not a value of this type`)
  return value
}

/** The codec of a type with one scalar as value, which is the text of the item in XML. */
export function scalarItem<V>(code: number, scalar: Scalar<V>, keepsSpace = false): ItemCodec<V> {
  return {
    code,
    tags: [],
    accepts: scalar.accepts,
    read: scalar.read,
    write: scalar.write,
    parse: ({ text }) => parseScalar(scalar, keepsSpace ? text : text.trim()),
    format: (value, style) => ({ text: scalar.format(value, style), fields: [] }),
  }
}
