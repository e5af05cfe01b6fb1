/** Rows as aligned columns under a heading; the last column is not padded. */
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

/** The width in characters, not in code units. */
const widthOf = (text: string): number => [...text].length

/** Control characters, and those that change the direction of text: they could rewrite lines of a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]|\p{Surrogate}/gu

/** An external text, such as a file name, with unprintable characters escaped as `\u{1b}`. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)

/** `10,000` */
export const formatCount = (count: number): string => count.toLocaleString('en')

/** `1 team`, `2 teams` */
export const formatCountOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
