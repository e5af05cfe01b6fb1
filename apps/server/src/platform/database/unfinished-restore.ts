import { sql } from 'kysely'
import { listColumns } from './columns.ts'
import type { Database, Dialect, Write } from './database.ts'

/*
 * The rows of a moment are committed before the tables are brought up to date. What happens in between is kept in a
 * table of its own, so that a restore that is killed there can be repeated. It goes when the tables are up to date,
 * whoever has done that.
 */

const TABLE = 'unfinished_restore'

/** Records in the transaction that writes the rows of a moment which moment it is. */
export async function noteUnfinishedRestore(write: Write, moment: string): Promise<void> {
  await sql`create table ${sql.table(TABLE)} (moment text not null)`.execute(write)
  await sql`insert into ${sql.table(TABLE)} (moment) values (${moment})`.execute(write)
}

/** Finds the moment whose rows the database has, while its tables are not known to be up to date. */
export async function findUnfinishedRestore({
  read,
  dialect,
}: Pick<Database, 'read' | 'dialect'>): Promise<string | undefined> {
  if ((await listColumns(read, dialect, TABLE)).length === 0) return undefined
  const { rows } = await sql<{ moment: string }>`select moment from ${sql.table(TABLE)}`.execute(
    read as never,
  )
  return rows[0]?.moment
}

/** Forgets the unfinished restore, since the tables are up to date. */
export async function forgetUnfinishedRestore(write: Write, dialect: Dialect): Promise<void> {
  if ((await listColumns(write, dialect, TABLE)).length > 0)
    await sql`drop table ${sql.table(TABLE)}`.execute(write)
}
