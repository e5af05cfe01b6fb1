import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { noteTime } from '../database/clock-record.ts'
import type { Database, Dialect, Select, Write } from '../database/database.ts'
import { DEAD_AFTER_MS, databaseNow, seenWithin } from '../database/database-clock.ts'
import { SCHEMA_VERSION } from '../database/schema/migrations.ts'
import type { ProcessKind } from '../database/tables.ts'
import type { Log } from '../log.ts'
import { VERSION } from '../version.ts'

/** What a process says about itself; see `ProcessTable`. */
export interface ProcessFacts {
  kind: ProcessKind
  /** The address at which the process listens, once it does. */
  address?: string | undefined
  connections: number
  blobStore?: string | undefined
  secretFingerprint?: string | undefined
}

/** This process, as the others see it. */
export interface RegisteredProcess {
  readonly id: string
  /** Changes some of the facts, at once. */
  update(facts: Partial<ProcessFacts>): Promise<void>
  /** Ends the heartbeat; the others see at once that the process has stopped. */
  close(): Promise<void>
}

/** A process that lives. */
export interface ProcessRecord {
  id: string
  kind: ProcessKind
  version: string
  schemaVersion: number
  host: string
  pid: number
  address: string | null
  connections: number
  blobStore: string | null
  secretFingerprint: string | null
  startedAt: number
  seenAt: number
  /** How long ago the process was last seen, by the clock of the database. */
  silentMs: number
}

/** A process counts as dead when this number of its heartbeats is missing. */
const HEARTBEATS_UNTIL_DEAD = 3
/** How soon a heartbeat that failed is tried again. */
const RETRY_MS = 1000
/**
 * The number that PostgreSQL locks while a process registers. It may be any, but has to be the same in every process.
 */
const LOCK = 612_743_002

/** Returns after how many milliseconds without a heartbeat a process counts as dead. */
export const deadAfterMs = (dialect: Dialect): number => DEAD_AFTER_MS[dialect]

const heartbeatMs = (dialect: Dialect): number => DEAD_AFTER_MS[dialect] / HEARTBEATS_UNTIL_DEAD

/**
 * Adds this process to those of the service, and renews that until it is closed. Throws an `Error` with a sentence for
 * the operator when processes live that sign cookies with another secret, since each would take the cookies of the
 * others for forged, and when this process opened a blob store that is not used any more.
 */
export async function registerProcess(
  database: Database,
  facts: ProcessFacts,
  { log }: { log?: Pick<Log, 'error'> } = {},
): Promise<RegisteredProcess> {
  const id = randomUUID()
  const closing = new AbortController()
  let known = facts
  await database.transaction(async (write) => {
    await lockRegistration(write, database.dialect)
    await checkSecret(write, database.dialect, known)
    await checkBlobStore(write, known)
    await noteTime(write)
    await saveProcess(write, database.dialect, id, known)
    await forgetDead(write, database.dialect)
  })

  async function sendHeartbeats(): Promise<void> {
    let pauseMs = heartbeatMs(database.dialect)
    for (;;) {
      await sleep(pauseMs, undefined, { signal: closing.signal, ref: false })
      try {
        await save()
        pauseMs = heartbeatMs(database.dialect)
      } catch (err) {
        log?.error({ err }, 'the heartbeat of this process failed')
        pauseMs = RETRY_MS
      }
    }
  }

  const save = () =>
    database.transaction(async (write) => {
      await noteTime(write)
      await saveProcess(write, database.dialect, id, known)
      await forgetDead(write, database.dialect)
    })

  const sending = sendHeartbeats().catch(() => {})
  return {
    id,
    async update(changed) {
      known = { ...known, ...changed }
      await save()
    },
    async close() {
      closing.abort()
      await sending
      // When the database is unavailable, the others notice the missing heartbeat.
      await database
        .transaction((write) => write.deleteFrom('process').where('id', '=', id).execute())
        .catch(() => {})
    },
  }
}

/** Lists the processes that live, the oldest first. */
export async function listProcesses(database: Pick<Database, 'dialect' | 'read'>): Promise<ProcessRecord[]> {
  return listLiving(database.read, database.dialect)
}

export function listLiving(select: Select, dialect: Dialect): Promise<ProcessRecord[]> {
  const now = databaseNow(dialect)
  return select
    .selectFrom('process')
    .where(seenWithin('seen_at', deadAfterMs(dialect), now))
    .select([
      'id',
      'kind',
      'version',
      'schema_version as schemaVersion',
      'host',
      'pid',
      'address',
      'connections',
      'blob_store as blobStore',
      'secret_fingerprint as secretFingerprint',
      'started_at as startedAt',
      'seen_at as seenAt',
      sql<number>`${now} - seen_at`.as('silentMs'),
    ])
    .orderBy('started_at')
    .orderBy('id')
    .execute()
}

/**
 * Takes a lock, so that of two processes that start at once the second one sees the first. On SQLite, the transaction
 * holds the one write lock already.
 */
export async function lockRegistration(write: Write, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(write)
}

async function checkSecret(
  write: Write,
  dialect: Dialect,
  { secretFingerprint }: ProcessFacts,
): Promise<void> {
  if (secretFingerprint === undefined) return
  const living = await listLiving(write, dialect)
  const other = living.find((one) => (one.secretFingerprint ?? secretFingerprint) !== secretFingerprint)
  if (other) throw new Error(describeOtherSecret(other, dialect))
}

/** Throws when blobs have been moved since the process opened its store. */
async function checkBlobStore(write: Write, { blobStore }: ProcessFacts): Promise<void> {
  if (blobStore === undefined) return
  const stores = await write.selectFrom('blob_store').where('state', '!=', 'former').select('id').execute()
  if (stores.length === 1 && stores[0]!.id === blobStore) return
  throw new Error(
    'The files of this service were moved to another store, or are being moved: see "meadow-server blobs status".',
  )
}

const describeOtherSecret = ({ host, pid, address, silentMs }: ProcessRecord, dialect: Dialect): string =>
  `A server runs on this database that signs cookies with another secret: process ${pid} on "${host}"` +
  `${address === null ? '' : ` (${address})`}, last seen ${Math.round(silentMs / 1000)} s ago. People would be signed ` +
  'out by every other request. Set MEADOW_SESSION_SECRET to the same value for all servers. To change it, stop all of ' +
  `them first; one that was killed counts as running for ${deadAfterMs(dialect) / 1000} s.`

async function saveProcess(write: Write, dialect: Dialect, id: string, facts: ProcessFacts): Promise<void> {
  const now = databaseNow(dialect)
  const row = {
    kind: facts.kind,
    version: VERSION,
    schema_version: SCHEMA_VERSION,
    host: hostname(),
    pid: process.pid,
    address: facts.address ?? null,
    connections: facts.connections,
    blob_store: facts.blobStore ?? null,
    secret_fingerprint: facts.secretFingerprint ?? null,
    seen_at: now,
  }
  // A process that was silent for long has been forgotten, so its row is inserted again.
  await write
    .insertInto('process')
    .values({ id, ...row, started_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

const forgetDead = (write: Write, dialect: Dialect) =>
  write
    .deleteFrom('process')
    .where(({ not }) => not(seenWithin('seen_at', 2 * deadAfterMs(dialect), databaseNow(dialect))))
    .execute()
