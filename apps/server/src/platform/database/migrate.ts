import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Database, Dialect, Write } from './database.ts'
import type { Migration } from './migration.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { listColumns } from './transfer/columns.ts'

/** Hands a sentence to the operator. */
export type Notify = (sentence: string) => void

/** Any number, but the same in every process: what PostgreSQL locks while tables change. */
const LOCK = 612_743_001

/**
 * Brings the tables up to the newest version with Kysely's `Migrator`, each step in one transaction with its record.
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
    const taken = await database.transaction((write) => takeStep(write, database.dialect, migrations))
    if (!taken) return
    for (const note of taken.notes) notify(note)
  }
}

/** The number of steps that were taken; 0 for a database without tables. */
export async function getSchemaVersion({
  read,
  dialect,
}: Pick<Database, 'read' | 'dialect'>): Promise<number> {
  if ((await listColumns(read, dialect, 'schema_version')).length === 0) return 0
  const { rows } = await sql<{ version: number | null }>`
    select max(version) as version from schema_version`.execute(read as never)
  return rows[0]?.version ?? 0
}

/** Takes the next step; undefined when there is none left. */
async function takeStep(
  write: Write,
  dialect: Dialect,
  migrations: readonly Migration[],
): Promise<{ notes: readonly string[] } | undefined> {
  // SQLite's transaction holds the one write lock already.
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(write)
  await prepareTable(write, dialect)
  await rejectNewer(write, migrations)

  let notes: readonly string[] = []
  const steps = migrations.map((migration, index) => ({
    // Kysely orders steps by name.
    name: `${String(index + 1).padStart(4, '0')} ${migration.name}`,
    up: async () => {
      notes = (await migration.up(write, dialect)) ?? []
    },
  }))
  const migrator = new Migrator({
    db: write,
    provider: { getMigrations: async () => Object.fromEntries(steps.map((step) => [step.name, step])) },
    migrationTableName: 'schema_version',
    migrationLockTableName: 'schema_version_lock',
    // The names have the order. Kysely would compare times, and the clocks of earlier steps may have differed.
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await migrator.migrateUp()
  if (error) throw error
  return results.length > 0 ? { notes } : undefined
}

/**
 * Makes `schema_version`, the record of all steps. An earlier Meadow made it for a runner of its own; Kysely needs other
 * names in it, and fills in no `version`, by which an earlier Meadow recognizes a newer database.
 */
async function prepareTable(write: Write, dialect: Dialect): Promise<void> {
  await sql`create table if not exists schema_version (
    version integer primary key, name text not null, migrated_at text not null)`.execute(write)
  const ofFirstRunner =
    dialect === 'sqlite'
      ? sql`select 1 from pragma_table_info('schema_version') where name = 'migrated_at'`
      : sql`select 1 from pg_attribute
          where attrelid = 'schema_version'::regclass and attname = 'migrated_at' and not attisdropped`
  const { rows } = await ofFirstRunner.execute(write)
  if (rows.length === 0) return

  await sql`alter table schema_version rename column migrated_at to timestamp`.execute(write)
  await sql`update schema_version set name = substr('000' || version, length('000' || version) - 3) || ' ' || name`.execute(
    write,
  )
  // SQLite numbers the rows of an integer primary key by itself.
  if (dialect === 'sqlite') return
  await sql`create function next_schema_version() returns integer language sql
    as 'select coalesce(max(version), 0) + 1 from schema_version'`.execute(write)
  await sql`alter table schema_version alter column version set default next_schema_version()`.execute(write)
}

async function rejectNewer(write: Write, migrations: readonly Migration[]): Promise<void> {
  const { rows } = await sql<{ version: number | null }>`
    select max(version) as version from schema_version`.execute(write)
  const version = rows[0]?.version ?? 0
  if (version > migrations.length) {
    throw new Error(
      `The database has version ${version} of the tables, and this Meadow knows ${migrations.length} at most. ` +
        'Start the newer Meadow again, or restore a backup from before it.',
    )
  }
}
