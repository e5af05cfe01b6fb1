import stringWidth from 'fast-string-width'
import { printable } from './printable.ts'

/** A cell as `--csv` prints it. */
export type Cell = string | number | boolean | null

/** A table that a command prints for people or as CSV. */
export interface Table {
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
}

const GAP = 2
/** A column that is cut to fit keeps at least this width. */
const MIN_WIDTH = 8

/** The column that is cut last: half an id is of no use. */
const WHOLE = 'id'

/**
 * Formats a table as aligned columns under a heading. On a terminal of `width` columns the widest columns are cut to
 * fit, ids last.
 */
export function formatTable({ columns, rows }: Table, width = Number.POSITIVE_INFINITY): string {
  const lines = [columns, ...rows].map((row) => row.map(formatCell))
  const widths = fitWidths(
    columns.map((_, column) => lines.reduce((width, line) => Math.max(width, stringWidth(line[column]!)), 0)),
    columns.indexOf(WHOLE),
    width,
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => padTo(cutTo(cell, widths[column]!), widths[column]!))
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
    .join('\n')
}

const formatCell = (cell: Cell): string => (cell === null ? '' : printable(String(cell)))

function fitWidths(wanted: readonly number[], whole: number, width: number): number[] {
  const widths = [...wanted]
  let excess = widths.reduce((sum, one) => sum + one + GAP, -GAP) - width
  while (excess > 0) {
    const others = widths.map((one, column) => (column === whole ? 0 : one))
    const shared = Math.max(...others) > MIN_WIDTH ? others : widths
    const widest = Math.max(...shared)
    if (widest <= MIN_WIDTH) break
    // The column is at most cut to the width of the next widest one, so that no column loses more than the others.
    const next = Math.max(MIN_WIDTH, ...shared.filter((one) => one < widest))
    const cut = Math.min(excess, widest - next)
    widths[shared.indexOf(widest)] = widest - Math.max(1, cut)
    excess -= Math.max(1, cut)
  }
  return widths
}

const padTo = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)))

/** Cuts a text that is wider than `width` columns, and ends it with an ellipsis. */
export function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(cut + segment) >= width) break
    cut += segment
  }
  return `${cut}…`
}

/**
 * Formats a table as CSV (RFC 4180), with the names of the columns. Texts that a spreadsheet would calculate get an
 * apostrophe.
 */
export const formatCsv = ({ columns, rows }: Table): string =>
  [columns, ...rows].map((row) => `${row.map(formatCsvCell).join(',')}\r\n`).join('')

function formatCsvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const text = /^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell
  return /["\r\n,]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
