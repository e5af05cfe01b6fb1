import type { XmlField } from '../archive/items/item-codec.ts'
import { getCodec, ITEM_CODECS } from '../archive/items/item-codecs.ts'
import { formatDouble } from '../archive/items/number-text.ts'
import type { Item, ItemType } from '../archive/tree/archive.ts'
import { Fault, printable } from '../archive/tree/grasshopper-error.ts'

/** A value on one line: the type is left out where the text shows it. */
type Value = Pick<Item, 'type' | 'value'>

const INTEGER = /^-?\d+$/
const REAL = /^-?(?:\d+\.\d+(?:E[+-]\d+)?|\d+E[+-]\d+|Infinity)$|^NaN$/
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The types of bytes, whose values are blocks of lines. */
const BYTE_TYPES = ['bytearray', 'drawing_bitmap', 'doublearray'] as const
type ByteType = (typeof BYTE_TYPES)[number]

export const isByteType = (type: ItemType): type is ByteType => BYTE_TYPES.includes(type as ByteType)

/** The type as the text names it: `pointf` for `drawing_pointf`. */
export const nameOfType = (type: ItemType): string => type.replace('drawing_', '')

const TYPES_BY_NAME = new Map(
  (Object.keys(ITEM_CODECS) as ItemType[]).map((type) => [nameOfType(type), type]),
)

export const findTypeNamed = (name: string): ItemType | undefined => TYPES_BY_NAME.get(name)

/** The value of an item on one line. Not for types of bytes. Fails: `Fault` if the type cannot hold the value. */
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

/** Reads a line from left to right. Fails: `Fault`. */
export class Scanner {
  readonly #line: string
  #at: number

  constructor(line: string, at: number) {
    this.#line = line
    this.#at = at
  }

  skipSpace(): void {
    while (this.#line[this.#at] === ' ') this.#at++
  }

  /** Steps over `text` if it stands here. */
  take(text: string): boolean {
    if (!this.#line.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  /** A quoted text; undefined if none stands here. */
  takeQuoted(): string | undefined {
    const start = this.#at
    if (this.#line[start] !== '"') return undefined
    let end = start + 1
    while (end < this.#line.length && this.#line[end] !== '"') end += this.#line[end] === '\\' ? 2 : 1
    if (end >= this.#line.length) throw new Fault('malformed', 'A quoted text has no closing quote: add "')
    this.#at = end + 1
    try {
      return JSON.parse(this.#line.slice(start, this.#at)) as string
    } catch {
      throw new Fault(
        'malformed',
        'A quoted text has a character or an escape that JSON does not allow: write \\\\ for a backslash and \\n for a new line',
      )
    }
  }

  /** Characters up to a space or one of `; } { [ ] = #`; empty at the end. */
  takeWord(): string {
    const start = this.#at
    while (this.#at < this.#line.length && !' ;{}[]=#"'.includes(this.#line[this.#at]!)) this.#at++
    return this.#line.slice(start, this.#at)
  }

  /** Whether nothing but a comment follows. */
  isAtEnd(): boolean {
    this.skipSpace()
    return this.#at >= this.#line.length || this.#line[this.#at] === '#'
  }

  checkEnd(): void {
    if (this.isAtEnd()) return
    const rest = printable(this.#line.slice(this.#at))
    throw new Fault(
      'malformed',
      `"${rest}" follows the end of the fact: remove it, or put # before a comment`,
    )
  }
}

/** Parses the word or words of a value that is not quoted; `word` is the first. */
export function parseLiteral(word: string, scanner: Scanner): Value {
  if (word === 'true' || word === 'false') return { type: 'bool', value: word === 'true' }
  if (INTEGER.test(word)) return parseAs('int32', [word])
  if (REAL.test(word)) return parseAs('double', [word])
  if (GUID.test(word.toLowerCase())) return parseAs('guid', [word])
  const type = findTypeNamed(word)
  if (type === undefined || type === 'string')
    throw new Fault(
      'malformed',
      `"${printable(word)}" is no value: write a quoted text, true, false, 5, 5.0, an id, or a type and its numbers such as pointf 10 20`,
    )
  const count = Math.max(1, ITEM_CODECS[type].tags.length)
  const words = Array.from({ length: count }, () => {
    scanner.skipSpace()
    return type === 'drawing_color' ? takeColour(scanner) : scanner.takeWord()
  })
  return type === 'date' ? { type, value: parseDate(words[0]!) } : parseAs(type, words)
}

/** Its parts have semicolons between them, which otherwise end a word. */
function takeColour(scanner: Scanner): string {
  const parts = [scanner.takeWord()]
  while (parts.length < 4 && scanner.take(';')) parts.push(scanner.takeWord())
  return parts.join(';')
}

function parseAs<T extends ItemType>(type: T, words: readonly string[]): Value {
  const { tags, parse } = ITEM_CODECS[type]
  const fields: XmlField[] = tags.map((tag, at) => ({ tag, text: words[at]! }))
  try {
    return { type, value: parse({ text: words[0]!, fields }) } as Value
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const needed = tags.length > 1 ? `${tags.length} numbers, ` : ''
    throw new Fault(
      'malformed',
      `"${printable(words.join(' '))}" is no ${nameOfType(type)}: it needs ${needed}${EXAMPLES[type] ?? 'as elsewhere in the text'}`,
    )
  }
}

const EXAMPLES: Partial<Record<ItemType, string>> = {
  int32: 'a whole number from -2147483648 to 2147483647',
  double: 'a number such as 5.0',
  drawing_color: 'four numbers from 0 to 255, such as 255;0;128;64',
  decimal: 'a number such as 50.00',
  drawing_pointf: 'such as 10 20.5',
  drawing_rectanglef: 'such as 10 20 100 44',
}

const EPOCH_TICKS = 621_355_968_000_000_000n
const LARGEST_TICKS = 3_155_378_975_999_999_999n
const DATE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{4})$/

/** `2024-05-01T12:30:00.0000000`, or ticks where .NET has no such date. */
function formatDate(ticks: bigint): string {
  if (ticks < 0n || ticks > LARGEST_TICKS) return String(ticks)
  const ms = Number((ticks - (ticks % 10_000n) - EPOCH_TICKS) / 10_000n)
  return `${new Date(ms).toISOString().slice(0, -1)}${String(ticks % 10_000n).padStart(4, '0')}`
}

function parseDate(text: string): bigint {
  const [, ms = '', rest = ''] = DATE.exec(text) ?? []
  const at = ms === '' ? Number.NaN : Date.parse(`${ms}Z`)
  if (!Number.isNaN(at)) {
    const ticks = BigInt(at) * 10_000n + EPOCH_TICKS + BigInt(rest)
    if (formatDate(ticks) === text) return ticks
  }
  try {
    return ITEM_CODECS.date.parse({ text, fields: [] })
  } catch {
    throw new Fault(
      'malformed',
      `"${printable(text)}" is no date: write one such as 2024-05-01T12:30:00.0000000`,
    )
  }
}
