import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { findCode } from '../system-errors.ts'
import { listColumns } from './columns.ts'
import type { Database, Dialect, Select, Write } from './database.ts'
import { DEAD_AFTER_MS, databaseNow } from './database-clock.ts'
import type { Migration } from './migration.ts'
import { bringOver } from './schema/bring-over.ts'
import { BASELINE_VERSION, MIGRATIONS, versionAfter } from './schema/migrations.ts'
import { forgetUnfinishedRestore } from './unfinished-restore.ts'

/** Hands a sentence to the operator. */
export type Notify = (sentence: string) => void

/** The number that PostgreSQL locks while tables change. It may be any, but has to be the same in every process. */
const LOCK = 612_743_001

/** How long a step waits for a lock at a time. On PostgreSQL, nobody else can use the table meanwhile. */
const LOCK_TIMEOUT_MS = 1000
const MIN_PAUSE_MS = 200
const MAX_PAUSE_MS = 700
/** How long a step is tried while others hold locks. */
const PATIENCE_MS = 300_000

/** What bounds the time that a migration waits. */
export interface MigrateOptions {
  patienceMs?: number
  /**
   * How long to wait until processes of an older Meadow stop; killed ones count as running until they are forgotten.
   */
  stopMs?: number
}

/**
 * Brings the tables up to the newest version with Kysely's `Migrator`, each step in one transaction with its record.
 * Of several processes that start at once, one does the work and the others wait for it. Processes of an older Meadow
 * that run meanwhile are never held up for long: a step that does not get its locks is rolled back and tried again.
 * `notify` gets what a step says about the data it changed, once the step is committed.
 * Throws when the database comes from a newer Meadow that this one cannot work with, or when processes of an older one
 * run that cannot work with the next step.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
  notify: Notify = () => {},
  { patienceMs = PATIENCE_MS, stopMs = DEAD_AFTER_MS[database.dialect] + 5000 }: MigrateOptions = {},
): Promise<void> {
  let since = performance.now()
  let isAnnounced = false
  for (;;) {
    try {
      const taken = await database.transaction((write) => takeStep(write, database.dialect, migrations))
      for (const note of taken.notes) notify(note)
      if (taken.isLast) return
      since = performance.now()
    } catch (error) {
      const waitedMs = performance.now() - since
      if (error instanceof OlderProcessesError) {
        if (waitedMs > stopMs) throw error
        if (!isAnnounced) notify(`${error.message} Waiting for them.`)
        isAnnounced = true
      } else if (isLocked(error)) {
        if (waitedMs > patienceMs) throw new Error(LOCKED, { cause: error })
      } else throw error
      await sleep(randomInt(MIN_PAUSE_MS, MAX_PAUSE_MS))
    }
  }
}

const LOCKED =
  'The tables cannot be changed: others hold locks on them for too long. Look in pg_stat_activity for a transaction ' +
  'that began long ago, such as that of a backup, wait until it has ended, and start again.'

/** Whether an error says that `lock_timeout` has passed, or that there was a deadlock. */
const isLocked = (error: unknown) => ['55P03', '40P01'].includes(findCode(error) ?? '')

/** Resolves with the version of the tables; 0 for a database without tables. */
export const getSchemaVersion = ({ read, dialect }: Pick<Database, 'read' | 'dialect'>): Promise<number> =>
  readVersion(read, dialect)

async function readVersion(read: Select | Write, dialect: Dialect): Promise<number> {
  if ((await listColumns(read, dialect, 'schema_version')).length === 0) return 0
  const { rows } = await sql<{ version: number | null }>`
    select max(version) as version from schema_version`.execute(read as Write)
  return rows[0]?.version ?? 0
}

/** Takes the next step. `isLast` says that no step was left. */
async function takeStep(
  write: Write,
  dialect: Dialect,
  migrations: readonly Migration[],
): Promise<{ notes: readonly string[]; isLast: boolean }> {
  // SQLite's transaction holds the one write lock already.
  if (dialect === 'postgres') {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(write)
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(write)
  }
  const version = await bringUpToBaseline(write, dialect)
  const newest = versionAfter(migrations)
  if (version > newest) return { notes: [await acceptNewer(write, version, newest)], isLast: true }
  const next = migrations[version === 0 ? 0 : version - BASELINE_VERSION + 1]
  if (!next) {
    await forgetUnfinishedRestore(write, dialect)
    return { notes: [], isLast: true }
  }
  const isAdditive = next.isAdditive === true || next.isAdditive === dialect
  if (!isAdditive) await rejectOlderProcesses(write, dialect, version + 1)

  let notes: readonly string[] = []
  const steps = migrations.map((migration, index) => ({
    // Kysely orders steps by name.
    name: nameStep(BASELINE_VERSION + index, migration),
    up: async () => {
      notes = (await migration.up(write, dialect)) ?? []
    },
  }))
  const migrator = new Migrator({
    db: write,
    provider: { getMigrations: async () => Object.fromEntries(steps.map((step) => [step.name, step])) },
    migrationTableName: 'schema_version',
    migrationLockTableName: 'schema_version_lock',
    // The names determine the order. Kysely would compare times, and the clocks of earlier steps may have differed.
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await migrator.migrateUp()
  if (error) throw error
  if (results.length > 0)
    await sql`update schema_version set version = ${Math.max(version + 1, BASELINE_VERSION)},
      older_may_run = ${isAdditive ? 1 : null} where version is null`.execute(write)
  return { notes, isLast: results.length === 0 }
}

const nameStep = (version: number, { name }: Migration): string =>
  `${String(version).padStart(4, '0')} ${name}`

/** Makes `schema_version`, the record of all steps, when there is none, and returns the version of the tables. */
async function bringUpToBaseline(write: Write, dialect: Dialect): Promise<number> {
  const version = await readVersion(write, dialect)
  const isBefore = version > 0 && version < BASELINE_VERSION
  if (isBefore) {
    await rejectOlderProcesses(write, dialect, BASELINE_VERSION)
    await bringOver(write, dialect, version)
  }
  // Kysely fills in the name and the time.
  await sql`create table if not exists schema_version (
    name text primary key, timestamp text not null, version integer unique, older_may_run integer)`.execute(
    write,
  )
  if (!isBefore) return version
  const name = nameStep(BASELINE_VERSION, MIGRATIONS[0]!)
  await sql`insert into schema_version values (${name}, ${new Date().toISOString()}, ${BASELINE_VERSION}, null)`.execute(
    write,
  )
  return BASELINE_VERSION
}

/**
 * Accepts tables of a newer version, and returns a sentence for the operator. Throws when a step that this Meadow does
 * not know did more than add.
 */
async function acceptNewer(write: Write, version: number, known: number): Promise<string> {
  const { rows } = await sql`
    select version from schema_version where version > ${known} and older_may_run is null`.execute(write)
  const versions = `The database has version ${version} of the tables, and this Meadow knows ${known}`
  if (rows.length === 0) return `${versions}: it works with them, and should be upgraded too.`
  throw new Error(`${versions} at most. Start the newer Meadow again, or restore a backup from before it.`)
}

/** Processes of an older Meadow run, which cannot work with the next step. */
class OlderProcessesError extends Error {}

async function rejectOlderProcesses(write: Write, dialect: Dialect, version: number): Promise<void> {
  if ((await listColumns(write, dialect, 'process')).length === 0) return
  const older = await write
    .selectFrom('process')
    .where('schema_version', '<', version)
    .where('seen_at', '>', sql<number>`${databaseNow(dialect)} - ${sql.lit(DEAD_AFTER_MS[dialect])}`)
    .select(['kind', 'pid', 'host'])
    .orderBy('started_at')
    .execute()
  if (older.length === 0) return
  const names = older.map(({ kind, pid, host }) => `${kind} (process ${pid} on "${host}")`)
  throw new OlderProcessesError(
    `Processes of an older Meadow run, which cannot work with version ${version} of the tables: ${names.join(', ')}. ` +
      'Stop all of them before this one starts.',
  )
}
