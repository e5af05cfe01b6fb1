import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { TableOptions } from './batches.ts'
import { type Cell, COLUMNS, type Column, type ColumnName, type ColumnType } from './columns.ts'
import { type BatchEncoder, createWriter, type TableSources, type TableWriter, writeAll } from './writer.ts'

/** Returns a table as Parquet, compressed with Snappy, which pandas, DuckDB, Power BI and Spark read. */
export function toParquet(sources: TableSources, options: TableOptions = {}): Uint8Array<ArrayBuffer> {
  return writeAll(openParquet(options), sources)
}

/** Writes Parquet in pieces: one row group of 50,000 rows after another. */
export function openParquet(options: TableOptions = {}): TableWriter {
  return createWriter(options, createParquetEncoder)
}

const STRING = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const

const TYPES: Record<ColumnType, Omit<SchemaElement, 'name'>> = {
  category: STRING,
  text: STRING,
  number: { type: 'DOUBLE' },
  integer: { type: 'INT32' },
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } },
}

function createParquetEncoder(names: readonly ColumnName[]): BatchEncoder {
  const bytes = new ByteWriter()
  const parquet = new ParquetWriter({ writer: bytes, schema: createSchema(names) })
  /** Returns the bytes that were written since the last call. The position in the file continues. */
  const take = () => {
    const piece = bytes.getBytes().slice()
    bytes.index = 0
    return piece
  }
  return {
    encode({ rowCount, cells }) {
      const columnData = names.map((name, position) => createColumn(name, cells[position]!))
      // Writing to memory is not asynchronous.
      void parquet.write({ columnData, rowGroupSize: rowCount })
      return take()
    },
    finish() {
      void parquet.finish()
      return take()
    },
  }
}

function createSchema(names: readonly ColumnName[]): SchemaElement[] {
  const elements = names.map((name): SchemaElement => {
    const { type, isRequired }: Column = COLUMNS[name]
    return { name, ...TYPES[type], repetition_type: isRequired ? 'REQUIRED' : 'OPTIONAL' }
  })
  return [{ name: 'root', num_children: elements.length }, ...elements]
}

function createColumn(name: ColumnName, cells: Cell[]): ColumnSource {
  const { type, ofRun }: Column = COLUMNS[name]
  const data = type === 'time' ? cells.map((cell) => cell && new Date(cell)) : cells
  // Readers skip the row groups of other documents and nodes by the statistics. Statistics of values would take as long
  // as writing the values.
  return type === 'category'
    ? { name, data, encoding: 'RLE_DICTIONARY', statistics: ofRun !== undefined && name !== 'path' }
    : { name, data, statistics: false }
}
