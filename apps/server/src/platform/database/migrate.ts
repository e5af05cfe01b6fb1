import { type RawBuilder, sql } from 'kysely'
import type { Database, Dialect, Write } from './database.ts'
import { MIGRATIONS } from './migrations/index.ts'

/** One step from a version of the tables to the next. It stays as it is once it was released. */
export interface Migration {
  name: string
  /** Runs inside of a transaction, the one that records the step. */
  up(write: Write, dialect: Dialect): Promise<void>
}

/** Any number, but the same in every process: what PostgreSQL locks while tables change. */
const LOCK = 612_743_001

/**
 * Brings the tables up to the newest version, each step in one transaction with its record.
 * Of several processes that start at once, one does the work and the others wait for it.
 * Throws when the database comes from a newer Meadow.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  let isCurrent = false
  while (!isCurrent)
    isCurrent = await database.transaction((write) => step(write, database.dialect, migrations))
}

/** Takes the next step; true when there is none left. */
async function step(write: Write, dialect: Dialect, migrations: readonly Migration[]): Promise<boolean> {
  // SQLite's transaction holds the one write lock already.
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(write)
  await sql`create table if not exists schema_version (
    version integer primary key, name text not null, migrated_at text not null)`.execute(write)
  const version = await readVersion(write)
  if (version > migrations.length) {
    throw new Error(
      `The database has version ${version} of the tables, and this Meadow knows ${migrations.length} at most. ` +
        'Start the newer Meadow again, or restore a backup from before it.',
    )
  }
  const migration = migrations[version]
  if (!migration) return true
  await migration.up(write, dialect)
  const at = new Date().toISOString()
  await sql`insert into schema_version values (${version + 1}, ${migration.name}, ${at})`.execute(write)
  return false
}

async function readVersion(write: Write): Promise<number> {
  const query: RawBuilder<{ version: number | null }> =
    sql`select max(version) as version from schema_version`
  const { rows } = await query.execute(write)
  return rows[0]?.version ?? 0
}
