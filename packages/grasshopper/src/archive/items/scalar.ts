import { Fault, printable } from '../tree/grasshopper-error.ts'
import type { BinaryReader } from './binary-reader.ts'
import type { BinaryWriter } from './binary-writer.ts'
import type { ItemCodec } from './item-codec.ts'
import type { DigitStyle } from './number-text.ts'

/** A value of one piece: how it stands in bytes, and how as text. */
export interface Scalar<V> {
  /** Whether the type can hold the value; asked before `write` and `format`. */
  accepts(value: V): boolean
  read(reader: BinaryReader): V
  write(writer: BinaryWriter, value: V): void
  /** The value of a text without white space around it, undefined when it is none. */
  parse(text: string): V | undefined
  format(value: V, style: DigitStyle): string
}

export function parseScalar<V>(scalar: Scalar<V>, text: string): V {
  const value = scalar.parse(text)
  if (value === undefined) throw new Fault('malformed', `"${printable(text)}" is not a value of this type`)
  return value
}

/** A type whose value is one scalar, in XML the text of the item. */
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
