import {
  type DataType,
  dictionary,
  float64,
  int32,
  TimeUnit,
  tableFromArrays,
  tableToIPC,
  timestamp,
  utf8,
} from '@uwdata/flechette'
import type { Batch, TableOptions } from './batches.ts'
import { COLUMNS, type ColumnName, type ColumnType } from './columns.ts'
import { type BatchEncoder, createWriter, type TableSources, type TableWriter, writeAll } from './writer.ts'

export interface ArrowOptions extends TableOptions {
  /**
   * The format of Arrow. A `file`, which is also called Feather, can be read at any place, and a `stream` only in
   * order. `file` unless given.
   */
  format?: 'file' | 'stream' | undefined
}

/** Returns a table as Arrow IPC. Its categories, such as `node`, are categories in pandas and factors in R. */
export function toArrow(sources: TableSources, options: ArrowOptions = {}): Uint8Array<ArrayBuffer> {
  return writeAll(openArrow(options), sources)
}

/** Collects a table in memory, since its dictionaries come first in the file. `end` returns all pieces. */
export function openArrow(options: ArrowOptions = {}): TableWriter {
  return createWriter(options, (names) => createArrowEncoder(names, options.format ?? 'file'))
}

const TYPES = {
  category: () => dictionary(utf8(), int32()),
  text: utf8,
  number: float64,
  integer: int32,
  time: () => timestamp(TimeUnit.MILLISECOND, 'UTC'),
} satisfies Record<ColumnType, () => DataType>

const NOTHING = new Uint8Array()

function createArrowEncoder(names: readonly ColumnName[], format: 'file' | 'stream'): BatchEncoder {
  const batches: Batch[] = []
  return {
    encode(batch) {
      batches.push(batch)
      return NOTHING
    },
    finish() {
      const cells = names.map((name, position) => [name, batches.flatMap((batch) => batch.cells[position]!)])
      const types = Object.fromEntries(names.map((name) => [name, TYPES[COLUMNS[name].type]()]))
      const table = tableFromArrays(Object.fromEntries(cells), { types })
      return tableToIPC(table, { format }) ?? NOTHING
    },
  }
}
