/** Rows as aligned columns under a heading; the last column may be as long as it wants. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows.map((row) => row.map(printable))]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column]!))))
  return lines.map((line) => alignCells(line, widths)).join('\n')
}

const alignCells = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell)))
    .join('  ')
    .trimEnd()

/** In characters, not in code units. */
const widthOf = (text: string): number => [...text].length

/** Control characters, and those that turn the direction of what follows: they could rewrite a terminal's lines. */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu

/** A text from outside, such as a file's name, with what a terminal must not be sent written as `\u{1b}`. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)

/** `10,000` */
export const formatCount = (count: number): string => count.toLocaleString('en')
