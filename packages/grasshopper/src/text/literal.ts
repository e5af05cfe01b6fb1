import { getCodec } from '../archive/items/item-codecs.ts'
import { formatDouble } from '../archive/items/number-text.ts'
import type { Item, ItemType } from '../archive/tree/archive.ts'

const INTEGER = /^-?\d+$/

/** The types of bytes, whose values are blocks of lines. */
const BYTE_TYPES = ['bytearray', 'drawing_bitmap', 'doublearray'] as const
type ByteType = (typeof BYTE_TYPES)[number]

export const isByteType = (type: ItemType): type is ByteType => BYTE_TYPES.includes(type as ByteType)

/** The type as the text names it: `pointf` for `drawing_pointf`. */
export const nameOfType = (type: ItemType): string => type.replace('drawing_', '')

/** Formats the value of an item, which must not be bytes, on one line. Fails: `Fault` if the type cannot hold it. */
export function formatLiteral(item: Item): string {
  const codec = getCodec(item)
  switch (item.type) {
    case 'string':
      return quote(item.value)
    case 'double':
      return formatReal(item.value)
    case 'date':
      return `date ${formatDate(item.value)}`
    case 'bool':
    case 'int32':
    case 'guid':
      return codec.format(item.value, 'shortest').text
    default: {
      const { text, fields } = codec.format(item.value, 'shortest')
      return [
        nameOfType(item.type),
        ...(fields.length > 0 ? fields.map((field) => field.text) : [text]),
      ].join(' ')
    }
  }
}

/** A double, which the point or exponent distinguishes from an integer. */
export function formatReal(value: number): string {
  const text = formatDouble(value, 'shortest')
  return INTEGER.test(text) ? `${text}.0` : text
}

/** Characters that hide or reorder others, beside those that JSON escapes. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]/gu

/** A text in JSON's notation, in which no character is invisible. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, (found) =>
    Array.from(
      { length: found.length },
      (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

/** Whether the text has characters that only its quoted form shows. Tabs are shown. */
export const hidesCharacters = (text: string): boolean => /[^\P{C}\t]|[\p{Zl}\p{Zp}]/u.test(text)

const EPOCH_TICKS = 621_355_968_000_000_000n
const LARGEST_TICKS = 3_155_378_975_999_999_999n

/** `2024-05-01T12:30:00.0000000`, or ticks where .NET has no such date. */
function formatDate(ticks: bigint): string {
  if (ticks < 0n || ticks > LARGEST_TICKS) return String(ticks)
  const ms = Number((ticks - (ticks % 10_000n) - EPOCH_TICKS) / 10_000n)
  return `${new Date(ms).toISOString().slice(0, -1)}${String(ticks % 10_000n).padStart(4, '0')}`
}
