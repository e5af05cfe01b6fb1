import { CompiledQuery, sql } from 'kysely'
import { fromPortable, listColumns, type PortableValue, type TableColumn } from '../columns.ts'
import type { Database, Dialect, Write } from '../database.ts'
import { BACKED_UP } from './backed-up-tables.ts'
import { DELETED_KEYS, type PortableTable } from './read-table.ts'
import { suspendConstraints } from './suspend-constraints.ts'

/** A table of a backup, with its rows. */
export interface FilledTable extends PortableTable {
  rows(): AsyncIterable<readonly PortableValue[][]>
}

/**
 * Writes tables that were read by `readRows` from a database of the same version, be it SQLite or PostgreSQL, in one
 * transaction, with what `andWrite` writes: all of it, or nothing. Rows that are there are deleted. Throws when a
 * reference between rows leads nowhere.
 */
export function writeTables(
  database: Pick<Database, 'transaction' | 'dialect' | 'searchIndex'>,
  tables: readonly FilledTable[],
  andWrite?: (write: Write) => Promise<void>,
): Promise<void> {
  const { dialect, searchIndex } = database
  return database.transaction(async (write) => {
    if (dialect === 'postgres') {
      // The rows may come from a slow place, so idling does not end the transaction.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(write)
    }
    const resume = await suspendConstraints(write, dialect)
    for (const name of BACKED_UP) {
      if ((await listColumns(write, dialect, name)).length > 0)
        await sql`delete from ${sql.table(name)}`.execute(write)
    }
    for (const table of tables) {
      const columns = await findColumns(write, dialect, table)
      for await (const rows of table.rows()) await insertRows(write, dialect, table.name, columns, rows)
      await setLastKey(write, dialect, table, columns)
    }
    await resume()
    await searchIndex.rebuild(write)
    await andWrite?.(write)
  })
}

/** Finds the columns of the table in the order of the backup. */
async function findColumns(write: Write, dialect: Dialect, table: PortableTable): Promise<TableColumn[]> {
  if (!(BACKED_UP as readonly string[]).includes(table.name))
    throw new Error(`This Meadow has no table "${table.name}".`)
  const known = new Map(
    (await listColumns(write, dialect, table.name)).map((column) => [column.name, column]),
  )
  return table.columns.map(({ name, kind }) => {
    const column = known.get(name)
    if (column?.kind !== kind)
      throw new Error(
        `The database has no column "${name}" of the table "${table.name}" for values of the backup.`,
      )
    return column
  })
}

/** How many parameters a statement has at most: SQLite takes 32,766. */
const MAX_PARAMETERS = 30_000

async function insertRows(
  write: Write,
  dialect: Dialect,
  table: string,
  columns: readonly TableColumn[],
  rows: readonly PortableValue[][],
): Promise<void> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const overriding = columns.some(({ isIdentity }) => isIdentity) ? ' overriding system value' : ''
  const perStatement = Math.floor(MAX_PARAMETERS / columns.length)
  for (let at = 0; at < rows.length; at += perStatement) {
    const some = rows.slice(at, at + perStatement)
    let parameter = 0
    const placeholder = () => (dialect === 'sqlite' ? '?' : `$${++parameter}`)
    const values = some.map((row) => `(${row.map(placeholder).join(', ')})`).join(', ')
    const parameters = some.flatMap((row) => row.map((value, index) => fromPortable(value, columns[index]!)))
    const statement = `insert into "${table}" (${names})${overriding} values ${values}`
    await write.executeQuery(CompiledQuery.raw(statement, parameters))
  }
}

/** Sets the last key of a table, so that the keys of deleted rows are not given again. */
async function setLastKey(
  write: Write,
  dialect: Dialect,
  { name, lastKey }: PortableTable,
  columns: readonly TableColumn[],
): Promise<void> {
  const identity = columns.find(({ isIdentity }) => isIdentity)
  if (dialect === 'postgres' && identity && lastKey) {
    await sql`select setval(pg_get_serial_sequence(quote_ident(${name}), ${identity.name}), ${lastKey})`.execute(
      write,
    )
  }
  if (dialect === 'sqlite' && name === 'document' && lastKey) {
    if ((await listColumns(write, dialect, DELETED_KEYS)).length > 0)
      await sql`update ${sql.table(DELETED_KEYS)} set highest = ${lastKey}`.execute(write)
  }
}
