import type { BinaryReader } from './binary-reader.ts'
import type { BinaryWriter } from './binary-writer.ts'
import type { DigitStyle } from './number-text.ts'

/** How the values of one item type stand in both forms of an archive. Reading and parsing throw `Fault`. */
export interface ItemCodec<V> {
  /** The type's number, in both forms. */
  readonly code: number
  /** The elements that an item holds in XML, in order; none where the item's text is the value. */
  readonly tags: readonly string[]
  /** Whether the type can hold the value; asked before `write` and `format`. */
  accepts(value: V): boolean
  read(reader: BinaryReader): V
  write(writer: BinaryWriter, value: V): void
  /** `fields` has one for each of `tags`. */
  parse(content: XmlContent): V
  format(value: V, style: DigitStyle): XmlContent
}

/** What an item holds in XML: text, or elements that hold text. */
export interface XmlContent {
  readonly text: string
  readonly fields: readonly XmlField[]
}

export interface XmlField {
  readonly tag: string
  readonly text: string
  /** The attribute of that name. */
  readonly length?: string | undefined
}
