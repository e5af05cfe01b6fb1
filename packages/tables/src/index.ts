export { type ArrowOptions, openArrow, toArrow } from './arrow.ts'
export { type Row, rowsOf, type TableOptions } from './batches.ts'
export {
  type Cell,
  COLUMNS,
  type Column,
  type ColumnName,
  type ColumnType,
  DEFAULT_COLUMNS,
} from './columns.ts'
export { type CsvColumn, type CsvFormat, type CsvOptions, openCsv, toCsv, writeCsv } from './csv.ts'
export { openParquet, toParquet } from './parquet.ts'
export type { TableDocument, TablePort, TableSolution, TableSource } from './source.ts'
export type { TableSources, TableWriter } from './writer.ts'
