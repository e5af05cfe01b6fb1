import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { databaseNow, lastsAt } from '../database/database-clock.ts'
import { lengthOf } from '../database/time-columns.ts'
import { keepLease } from '../queue.ts'

/** How long blobs are retained for a backup that gives no sign of life. */
const LEASE_MS = lengthOf('backup_run.lease_until')
/** How long the record of a backup is kept. */
const KEEP_MS = 90 * 24 * 60 * 60 * 1000

/** A backup that runs: until it is disposed of, garbage collection removes no blob. */
export interface BackupRun extends AsyncDisposable {
  /** Records that the moment was saved. */
  complete(moment: string): Promise<void>
}

/** Begins a backup to `target`, an address without keys. Garbage collection sees it before this resolves. */
export async function beginBackupRun(database: Database, target: string): Promise<BackupRun> {
  const id = randomUUID()
  const now = databaseNow(database.dialect)
  const leaseUntil = sql<number>`${now} + ${sql.lit(LEASE_MS)}`
  await database.transaction(async (write) => {
    await write
      .deleteFrom('backup_run')
      .where('started_at', '<', sql<number>`${now} - ${sql.lit(KEEP_MS)}`)
      .execute()
    const facts = { id, target, host: hostname(), started_at: now, lease_until: leaseUntil }
    await write
      .insertInto('backup_run')
      .values({ ...facts, ended_at: null, moment: null })
      .execute()
  })
  const end = (moment: string | null) =>
    database.transaction((write) =>
      write
        .updateTable('backup_run')
        .set({ lease_until: null, ended_at: now, ...(moment !== null && { moment }) })
        .where('id', '=', id)
        .execute(),
    )
  const renew = async () => {
    await database.transaction((write) =>
      write
        .updateTable('backup_run')
        .set({ lease_until: leaseUntil })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute(),
    )
    return true
  }
  const kept = keepLease({ leaseMs: LEASE_MS, renew })
  let isComplete = false
  return {
    async complete(moment) {
      await end(moment)
      isComplete = true
    },
    async [Symbol.asyncDispose]() {
      kept[Symbol.dispose]()
      // If this fails, the lease expires.
      if (!isComplete) await end(null).catch(() => {})
    },
  }
}

/** Whether a backup runs, which may still copy blobs that nothing refers to any more: none is removed meanwhile. */
export async function isBackupRunning({
  read,
  dialect,
}: Pick<Database, 'read' | 'dialect'>): Promise<boolean> {
  const row = await read
    .selectFrom('backup_run')
    .where(lastsAt('lease_until', LEASE_MS, databaseNow(dialect)))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** How long ago the last backup ended that saved a moment, in milliseconds; undefined when there was none of late. */
export async function findBackupAgeMs({
  read,
  dialect,
}: Pick<Database, 'read' | 'dialect'>): Promise<number | undefined> {
  const row = await read
    .selectFrom('backup_run')
    .where('moment', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .select(sql<number>`${databaseNow(dialect)} - ended_at`.as('ageMs'))
    .executeTakeFirst()
  return row?.ageMs
}
