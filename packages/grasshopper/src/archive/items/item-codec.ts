import type { BinaryReader } from './binary-reader.ts'
import type { BinaryWriter } from './binary-writer.ts'
import type { DigitStyle } from './number-text.ts'

/** Encodes and decodes the values of one item type, in both forms of an archive. Reading and parsing throw `Fault`. */
export interface ItemCodec<V> {
  /** The number of the type in both forms. */
  readonly code: number
  /** The child elements of the item in XML, in order; empty if the item's text is the value. */
  readonly tags: readonly string[]
  /** Whether the type can hold the value; called before `write` and `format`. */
  accepts(value: V): boolean
  read(reader: BinaryReader): V
  write(writer: BinaryWriter, value: V): void
  /** `fields` has one for each of `tags`. */
  parse(content: XmlContent): V
  format(value: V, style: DigitStyle): XmlContent
}

/** The content of an item in XML: text, or elements with text. */
export interface XmlContent {
  readonly text: string
  readonly fields: readonly XmlField[]
}

export interface XmlField {
  readonly tag: string
  readonly text: string
  /** The attribute `length`. */
  readonly length?: string | undefined
}
