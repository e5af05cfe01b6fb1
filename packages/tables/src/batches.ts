import type { DataValue } from '@meadow/client'
import { type Cell, COLUMNS, type Column, type ColumnName, readColumns, type ValueType } from './columns.ts'
import { listRuns, type Run, type TablePort, type TableSource } from './source.ts'

/** The content of a table. */
export interface TableOptions {
  /** The names of its columns, in their order. */
  columns?: readonly string[] | undefined
  /** Chooses the ports that have rows; all of them unless it is given. */
  where?: ((port: TablePort) => boolean) | undefined
}

/** Some rows of a table: the cells of each column. All columns are equally long. */
export interface Batch {
  rowCount: number
  cells: Cell[][]
}

/** The number of rows in a batch, which fits into memory, and is enough for a row group of Parquet. */
const BATCH_ROWS = 50_000

/**
 * Collects the rows of one document after another into batches.
 * @throws a RangeError when there is no column of a name.
 */
export function createBatches({ columns, where }: TableOptions) {
  const names = readColumns(columns)
  const listed = names.map((name): Column => COLUMNS[name])
  let batch = createBatch(names)
  return {
    names,
    /** Adds a document, and yields the batches that are full. */
    *add(source: TableSource): Generator<Batch> {
      for (const run of listRuns(source, where)) {
        for (let start = 0; start < run.values.length; ) {
          const end = Math.min(run.values.length, start + BATCH_ROWS - batch.rowCount)
          addRows(batch, listed, run, start, end)
          start = end
          if (batch.rowCount < BATCH_ROWS) continue
          yield batch
          batch = createBatch(names)
        }
      }
    },
    /** The rows that are in no batch yet. */
    takeRest(): Batch {
      const rest = batch
      for (const cells of rest.cells) cells.length = rest.rowCount
      batch = createBatch(names)
      return rest
    },
  }
}

function createBatch(names: readonly ColumnName[]): Batch {
  return { rowCount: 0, cells: names.map(() => new Array<Cell>(BATCH_ROWS)) }
}

function addRows(batch: Batch, columns: readonly Column[], run: Run, start: number, end: number): void {
  const first = batch.rowCount
  batch.rowCount += end - start
  const type = findCommonType(run.values, start, end)
  for (let position = 0; position < columns.length; position++) {
    const { ofRun, ofType, ofItem } = columns[position]!
    const cells = batch.cells[position]!
    if (ofRun) cells.fill(ofRun(run), first, batch.rowCount)
    else if (type && !ofType?.[type] && !ofItem) cells.fill(null, first, batch.rowCount)
    else {
      const read = ofItem ?? ((item) => readByType(ofType, item))
      for (let index = start; index < end; index++)
        cells[first - start + index] = read(run.values[index]!, index)
    }
  }
}

function readByType(readers: Column['ofType'], item: DataValue | null): Cell {
  const read = item && (readers?.[item.type] as ((value: DataValue['value']) => Cell) | undefined)
  return read ? read(item.value) : null
}

/** Returns the type that all values have, if there is one: most columns then need not look at each value. */
function findCommonType(values: Run['values'], start: number, end: number): ValueType | undefined {
  const type = values[start]?.type
  for (let index = start + 1; index < end; index++) if (values[index]?.type !== type) return undefined
  return type
}

/** A row: its cells by the names of the columns. */
export type Row = Partial<Record<ColumnName, Cell>>

/** Yields the rows of a document, one per value. */
export function* rowsOf(source: TableSource, options: TableOptions = {}): Generator<Row> {
  const batches = createBatches(options)
  for (const batch of batches.add(source)) yield* listRows(batches.names, batch)
  yield* listRows(batches.names, batches.takeRest())
}

function* listRows(names: readonly ColumnName[], { rowCount, cells }: Batch): Generator<Row> {
  for (let row = 0; row < rowCount; row++)
    yield Object.fromEntries(names.map((name, position) => [name, cells[position]![row]]))
}
