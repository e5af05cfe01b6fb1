import { type RawBuilder, sql } from 'kysely'
import type { Database, Dialect, Write } from './database.ts'
import { MIGRATIONS } from './migrations/index.ts'

/** One step from a version of the tables to the next. It stays as it is once it was released. */
export interface Migration {
  name: string
  /**
   * Runs inside of a transaction, the one that records the step. May return sentences for the operator about data that
   * it changed; they hold no secrets.
   */
  up(write: Write, dialect: Dialect): Promise<void> | Promise<readonly string[]>
}

/** Hands a sentence to the operator. */
export type Notify = (sentence: string) => void

/** Any number, but the same in every process: what PostgreSQL locks while tables change. */
const LOCK = 612_743_001

/**
 * Brings the tables up to the newest version, each step in one transaction with its record.
 * Of several processes that start at once, one does the work and the others wait for it.
 * `notify` gets what a step says about the data it changed, once the step is committed.
 * Throws when the database comes from a newer Meadow.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
  notify: Notify = () => {},
): Promise<void> {
  for (;;) {
    const taken = await database.transaction((write) => step(write, database.dialect, migrations))
    if (!taken) return
    for (const note of taken.notes) notify(note)
  }
}

/** Takes the next step; undefined when there is none left. */
async function step(
  write: Write,
  dialect: Dialect,
  migrations: readonly Migration[],
): Promise<{ notes: readonly string[] } | undefined> {
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
  if (!migration) return undefined
  const notes = (await migration.up(write, dialect)) ?? []
  const at = new Date().toISOString()
  await sql`insert into schema_version values (${version + 1}, ${migration.name}, ${at})`.execute(write)
  return { notes }
}

async function readVersion(write: Write): Promise<number> {
  const query: RawBuilder<{ version: number | null }> =
    sql`select max(version) as version from schema_version`
  const { rows } = await query.execute(write)
  return rows[0]?.version ?? 0
}
