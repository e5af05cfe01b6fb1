import type { BinaryReader } from './binary-reader.ts'
import type { BinaryWriter } from './binary-writer.ts'
import { Fault, printable } from './fault.ts'
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
