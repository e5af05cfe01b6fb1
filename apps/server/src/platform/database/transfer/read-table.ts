import { sql } from 'kysely'
import {
  listColumns,
  type PortableColumn,
  type PortableValue,
  type TableColumn,
  toPortable,
} from '../columns.ts'
import type { Database, Snapshot, Write } from '../database.ts'

/** What a backup holds about a table in addition to its rows. */
export interface PortableTable {
  name: string
  columns: PortableColumn[]
  /** The last key that the database gave to a row, even if the row was deleted; null if it gives no keys. */
  lastKey: number | null
}

/** Describes a table for reading; undefined when the database, which may be of an earlier version, does not have it. */
export async function describeTable(
  { read, dialect }: Pick<Database, 'read' | 'dialect'>,
  name: string,
): Promise<(PortableTable & { keys: string[] }) | undefined> {
  const columns = await listColumns(read, dialect, name)
  if (columns.length === 0) return undefined
  const lastKey =
    dialect === 'sqlite'
      ? await lastKeyOfSqlite(read as never, name, columns)
      : await lastKeyOfPostgres(read as never, name, columns)
  return {
    name,
    // The columns have the same order in both databases.
    columns: columns
      .map(({ name, kind }) => ({ name, kind }))
      .sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name)),
    lastKey,
    keys: columns
      .filter(({ keyPosition }) => keyPosition > 0)
      .sort((a, b) => a.keyPosition - b.keyPosition)
      .map((column) => column.name),
  }
}

/**
 * Returns the last key of a table on SQLite, which never uses the keys of deleted rows again in the table `document`
 * alone.
 */
async function lastKeyOfSqlite(
  read: Write,
  name: string,
  columns: readonly TableColumn[],
): Promise<number | null> {
  if (!columns.some((column) => column.name === 'id' && column.kind === 'number')) return null
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from ${sql.table(name)}`.execute(
    read,
  )
  const last = rows[0]?.last ?? 0
  const deleted = await listColumns(read, 'sqlite', DELETED_KEYS)
  if (name !== 'document' || deleted.length === 0) return last
  const highest = await sql<{ highest: number }>`select highest from ${sql.table(DELETED_KEYS)}`.execute(read)
  return Math.max(last, highest.rows[0]?.highest ?? 0)
}

/** The table in which SQLite keeps the highest key of a deleted document. */
export const DELETED_KEYS = 'deleted_document_key'

async function lastKeyOfPostgres(
  read: Write,
  name: string,
  columns: readonly TableColumn[],
): Promise<number | null> {
  const identity = columns.find(({ isIdentity }) => isIdentity)
  if (!identity) return null
  const { rows } = await sql<{ last: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence(quote_ident(${name}), ${identity.name})::regclass) as last`.execute(
    read,
  )
  return Number(rows[0]?.last ?? 0)
}

/** How many rows are read at once. Rows with contents are large. */
const PORTION = { small: 1000, large: 25 }

/** Yields the rows of a table in the order of its key, in portions. */
export async function* readRows(
  snapshot: Snapshot,
  { name, columns, keys }: Pick<PortableTable, 'name' | 'columns'> & { keys: readonly string[] },
): AsyncGenerator<PortableValue[][]> {
  const query = `select ${quoteAll(columns.map((column) => column.name))} from "${name}" order by ${quoteAll(keys)}`
  const portion = columns.some(({ kind }) => kind === 'bytes') ? PORTION.large : PORTION.small
  for await (const rows of snapshot.stream(query, portion)) {
    yield rows.map((row) => row.map((value, index) => toPortable(value, columns[index]!.kind)))
  }
}

const quoteAll = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
