import { DatabaseSync } from 'node:sqlite'
import type { Snapshot } from '../database.ts'

/**
 * Implements `Database.snapshot` on SQLite by one read transaction on its own connection. The WAL grows until it has
 * ended.
 */
export async function readSqliteSnapshot<T>(
  path: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: 10_000 })
  try {
    connection.exec('begin')
    // The transaction shows the moment of its first read.
    connection.prepare('select count(*) from sqlite_schema').get()
    return await work({ stream: (sql, portion) => stream(connection, sql, portion) })
  } finally {
    connection.close()
  }
}

async function* stream(connection: DatabaseSync, sql: string, portion: number): AsyncGenerator<unknown[][]> {
  const statement = connection.prepare(sql)
  statement.setReturnArrays(true)
  let rows: unknown[][] = []
  for (const row of statement.iterate()) {
    rows.push(row as unknown as unknown[])
    if (rows.length < portion) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}
