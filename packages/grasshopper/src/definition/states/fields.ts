import type { Range } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { setItem } from '../../archive/tree/edit.ts'
import { findItem } from '../../archive/tree/find.ts'
import { toInt32, toNumber, toRecord, toSingle, toText, toWindowsText } from '../model/coerce.ts'
import { findColour, formatColour } from '../model/colour.ts'
import type { DefinitionObject } from '../model/definition-object.ts'
import { findSize } from '../model/layout.ts'
import { findText, toFinite, unifyLineEnds } from '../model/text.ts'
import type { Change } from './change.ts'

/** How a member of a state is read from an item of a chunk, and written to it. */
export interface Field<T> {
  read(chunk: Chunk | undefined): T
  /** Writes any JSON: a value of another type becomes a default. */
  write(chunk: Chunk, value: unknown): void
}

type Fields = Readonly<Record<string, Field<unknown>>>
type Members<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }

/** Reads the members of a state, in the order of the fields. A chunk that is missing gives the defaults. */
export function readFields<F extends Fields>(chunk: Chunk | undefined, fields: F): Members<F> {
  const members = Object.entries(fields).map(([key, field]) => [key, field.read(chunk)])
  return Object.fromEntries(members) as Members<F>
}

/** Writes the members of a state that differ, in the order of the fields. */
export function writeFields(chunk: Chunk, fields: Fields, { member }: Change): void {
  for (const [key, field] of Object.entries(fields)) member(key, (value) => field.write(chunk, value))
}

/** The size of the object on the canvas, if the file has it; written with its layout. */
export function readSize(object: DefinitionObject): { size?: { width: number; height: number } } {
  const size = findSize(object)
  return size ? { size } : {}
}

export const double = (name: string, otherwise = 0): Field<number> => ({
  read: (chunk) => toFinite(chunk && findItem(chunk, name, 'double'), otherwise),
  write: (chunk, value) => setItem(chunk, 'double', name, toNumber(value)),
})

export const single = (name: string, otherwise = 0): Field<number> => ({
  read: (chunk) => toFinite(chunk && findItem(chunk, name, 'single'), otherwise),
  write: (chunk, value) => setItem(chunk, 'single', name, toSingle(value)),
})

export const int32 = (name: string, otherwise = 0): Field<number> => ({
  read: (chunk) => (chunk && findItem(chunk, name, 'int32')) ?? otherwise,
  write: (chunk, value) => setItem(chunk, 'int32', name, toInt32(value)),
})

export const flag = (name: string, otherwise = false): Field<boolean> => ({
  read: (chunk) => (chunk && findItem(chunk, name, 'bool')) ?? otherwise,
  write: (chunk, value) => setItem(chunk, 'bool', name, value === true),
})

export const text = (name: string, otherwise = ''): Field<string> => ({
  read: (chunk) => (chunk && findText(chunk, name)) ?? otherwise,
  write: (chunk, value) => setItem(chunk, 'string', name, toText(value)),
})

/** A text of several lines, which end as on Windows in the file. */
export const lines = (name: string): Field<string> => ({
  read: (chunk) => unifyLineEnds((chunk && findText(chunk, name)) ?? ''),
  write: (chunk, value) => setItem(chunk, 'string', name, toWindowsText(value)),
})

/** A number that stands for one of these words. Other numbers read as the first word, and so are other words written. */
export const choice = <W extends string>(name: string, words: readonly [W, ...W[]]): Field<W> => ({
  read: (chunk) => words[(chunk && findItem(chunk, name, 'int32')) ?? 0] ?? words[0],
  write: (chunk, value) =>
    setItem(chunk, 'int32', name, Math.max(0, (words as readonly string[]).indexOf(String(value)))),
})

/** A colour, 0xAARRGGBB in the file. */
export const colour = (name: string, otherwise: number): Field<string> => ({
  read: (chunk) => formatColour((chunk && findItem(chunk, name, 'drawing_color')) ?? otherwise),
  write(chunk, value) {
    const argb = findColour(value)
    if (argb !== undefined) setItem(chunk, 'drawing_color', name, argb)
  },
})

/** An interval item; 0 to 1 by default. */
export const interval = (name: string): Field<Range> => ({
  read(chunk) {
    const found = chunk && findItem(chunk, name, 'interval1d')
    return { start: toFinite(found?.a), end: toFinite(found?.b, 1) }
  },
  write(chunk, value) {
    const { start, end } = toRecord(value)
    setItem(chunk, 'interval1d', name, { a: toNumber(start), b: toNumber(end) })
  },
})

/** An interval of two number items; 0 to 1 by default. */
export function bounds(start: string, end: string): Field<Range> {
  const [first, last] = [double(start), double(end, 1)]
  return {
    read: (chunk) => ({ start: first.read(chunk), end: last.read(chunk) }),
    write(chunk, value) {
      const range = toRecord(value)
      first.write(chunk, range.start)
      last.write(chunk, range.end)
    },
  }
}

/** A decimal with at least as many decimals as the chunk says, which are written before it. */
export const decimal = (name: string): Field<number> => ({
  read: (chunk) => Number((chunk && findItem(chunk, name, 'decimal')) ?? 0),
  write(chunk, value) {
    const written = findDecimal(toNumber(value), findDecimals(chunk))
    if (written !== undefined) setItem(chunk, 'decimal', name, written)
  },
})

export function findDecimals(chunk: Chunk): number {
  return findItem(chunk, 'Decimals', 'int32') ?? 0
}

const SCIENTIFIC = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/
/** The number of digits that .NET's decimal can always represent. */
const MAX_DIGITS = 28

/**
 * Returns the text of a decimal item with at least `decimals` decimals; undefined if a decimal cannot hold the number.
 */
export function findDecimal(number: number, decimals: number): string | undefined {
  if (!Number.isFinite(number)) return undefined
  const [whole = '', fraction = ''] = writeOut(number).split('.')
  if (whole.length + fraction.length > MAX_DIGITS) return undefined
  const room = MAX_DIGITS - whole.length
  const padded = fraction.padEnd(Math.min(Math.max(0, decimals), room), '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

/** The shortest text that reads back, without an exponent. */
function writeOut(number: number): string {
  const text = String(number)
  const match = SCIENTIFIC.exec(text)
  if (!match) return text
  const [, sign = '', first = '', rest = '', power = ''] = match
  const exponent = Number(power)
  const digits = first + rest
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  return sign + digits.padEnd(exponent + 1, '0')
}
