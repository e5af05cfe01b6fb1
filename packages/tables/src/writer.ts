import { type Batch, createBatches, type TableOptions } from './batches.ts'
import type { ColumnName } from './columns.ts'
import type { TableSource } from './source.ts'

/** Writes a table in pieces: the rows of one document after another. All pieces, in their order, are the file. */
export interface TableWriter {
  /**
   * Adds the rows of a document.
   * @throws a TypeError when it is given no solution.
   */
  write(source: TableSource): Iterable<Uint8Array>
  /** Returns the rest of the file. Nothing can be written after it. */
  end(): Iterable<Uint8Array>
}

/** One document, or several for one table. */
export type TableSources = TableSource | Iterable<TableSource>

/** Encodes the batches of a table in a format. */
export interface BatchEncoder {
  encode(batch: Batch): Uint8Array
  finish(): Uint8Array
}

/** Creates a writer whose format encodes batch by batch. */
export function createWriter(
  options: TableOptions,
  open: (names: readonly ColumnName[]) => BatchEncoder,
): TableWriter {
  const batches = createBatches(options)
  const encoder = open(batches.names)
  return {
    *write(source) {
      for (const batch of batches.add(source)) yield* listPiece(encoder.encode(batch))
    },
    *end() {
      const rest = batches.takeRest()
      if (rest.rowCount > 0) yield* listPiece(encoder.encode(rest))
      yield* listPiece(encoder.finish())
    },
  }
}

function listPiece(piece: Uint8Array): Uint8Array[] {
  return piece.length > 0 ? [piece] : []
}

/** Writes a whole file. */
export function writeAll(writer: TableWriter, sources: TableSources): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = []
  for (const source of Symbol.iterator in sources ? sources : [sources]) pieces.push(...writer.write(source))
  pieces.push(...writer.end())
  return joinPieces(pieces)
}

function joinPieces(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}
