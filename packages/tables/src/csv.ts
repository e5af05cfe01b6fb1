import type { Batch, TableOptions } from './batches.ts'
import { type Cell, COLUMNS, type ColumnName, type ColumnType } from './columns.ts'
import { type BatchEncoder, createWriter, type TableSources, type TableWriter, writeAll } from './writer.ts'

export interface CsvOptions extends TableOptions {
  /** The text between the cells; `,` unless it is given. */
  delimiter?: ',' | ';' | '\t' | undefined
  /** Whether the text starts with a byte order mark, by which Excel recognizes UTF-8. */
  byteOrderMark?: boolean | undefined
  /**
   * Puts an apostrophe before a text that a spreadsheet would calculate: one that starts with `=`, `+`, `-`, `@`, a tab
   * or a line break and is no number. True unless it is given; false keeps every text as it is.
   */
  escapeFormulas?: boolean | undefined
  /** Whether the first line has the names of the columns; true unless it is given. */
  header?: boolean | undefined
}

/** Returns a table as CSV (RFC 4180) in UTF-8: lines end in CR LF, a null is an empty cell, an empty text is `""`. */
export function toCsv(sources: TableSources, options: CsvOptions = {}): string {
  // The decoder keeps the byte order mark, which belongs to the file.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(writeAll(openCsv(options), sources))
}

/** Writes CSV in pieces. */
export function openCsv(options: CsvOptions = {}): TableWriter {
  return createWriter(options, (names) => createCsvEncoder(names, options))
}

/** A column of rows that do not come from a solution. */
export interface CsvColumn {
  name: string
  type: ColumnType
}

/** The options for writing rows of any columns. */
export type CsvFormat = Pick<CsvOptions, 'delimiter' | 'byteOrderMark' | 'escapeFormulas' | 'header'>

/** Writes rows of any columns as CSV in pieces, by the rules of `toCsv`. Each row has a cell for each column. */
export function* writeCsv(
  columns: readonly CsvColumn[],
  rows: Iterable<readonly Cell[]>,
  { delimiter = ',', byteOrderMark = false, escapeFormulas = true, header = true }: CsvFormat = {},
): Generator<string> {
  const writers = columns.map(({ type }) => chooseCell(type, delimiter, escapeFormulas))
  const writeName = chooseCell('text', delimiter, escapeFormulas)
  const names = columns.map(({ name }) => writeName(name)).join(delimiter)
  let text = (byteOrderMark ? '\uFEFF' : '') + (header ? `${names}\r\n` : '')
  for (const row of rows) {
    text += `${row.map((cell, position) => writers[position]!(cell)).join(delimiter)}\r\n`
    if (text.length < PIECE_LENGTH) continue
    yield text
    text = ''
  }
  if (text) yield text
}

/** The length of a piece in characters. */
const PIECE_LENGTH = 2 ** 16

function createCsvEncoder(
  names: readonly ColumnName[],
  { delimiter = ',', byteOrderMark = false, escapeFormulas = true, header = true }: CsvOptions,
): BatchEncoder {
  const encoder = new TextEncoder()
  const writers = names.map((name) => chooseCell(COLUMNS[name].type, delimiter, escapeFormulas))
  let start = (byteOrderMark ? '\uFEFF' : '') + (header ? `${names.join(delimiter)}\r\n` : '')
  return {
    encode(batch) {
      const text = start + writeLines(batch, writers, delimiter)
      start = ''
      return encoder.encode(text)
    },
    finish: () => encoder.encode(start),
  }
}

type CellWriter = (cell: Cell) => string

function writeLines({ rowCount, cells }: Batch, writers: readonly CellWriter[], delimiter: string): string {
  const columns = cells.map((column, position) => column.map(writers[position]!))
  let lines = ''
  for (let row = 0; row < rowCount; row++) {
    lines += columns[0]![row]
    for (let position = 1; position < columns.length; position++) lines += delimiter + columns[position]![row]
    lines += '\r\n'
  }
  return lines
}

function chooseCell(type: ColumnType, delimiter: string, escapeFormulas: boolean): CellWriter {
  if (type === 'time') return (cell) => (cell === null ? '' : new Date(cell).toISOString())
  if (type === 'number' || type === 'integer') return (cell) => (cell === null ? '' : String(cell))
  const quoted = new RegExp(`["\\r\\n${delimiter}]|^\\s|\\s$|^$`)
  const quote = (text: string) => (quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  // The text of a cell is often the same as in the row before.
  let last: Cell = null
  let written = ''
  return (cell) => {
    if (cell === last) return written
    last = cell
    written = cell === null ? '' : quote(escapeFormulas ? escapeFormula(String(cell)) : String(cell))
    return written
  }
}

const FORMULA = /^[=+\-@\t\r\n]/
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Escapes a text that a spreadsheet would calculate. Source: OWASP, CSV injection. */
function escapeFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}
