import { printable } from './printable.ts'

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
