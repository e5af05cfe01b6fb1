import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  sql,
} from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import pg from 'pg'
import type { Log } from '../../log.ts'
import { runWithHooks } from '../commit-hooks.ts'
import type { BuildRead, Database, PreparedRead } from '../database.ts'
import { databaseNow, type FollowedClock, followClock, keepTime, timeOf } from '../database-clock.ts'
import { compileOnce, createPreparedWrite } from '../prepared-queries.ts'
import type { Tables } from '../tables.ts'
import { createWriteOutcomes } from '../unavailable.ts'
import { createPostgresCommitCounter } from './postgres-commit-counter.ts'
import { broadcast, openPostgresNotifications, publish } from './postgres-notifications.ts'
import { nameStatement, openPostgresPool, type PostgresPool } from './postgres-pool.ts'
import type { PostgresAddresses } from './postgres-probe.ts'
import { createPostgresSearchIndex } from './postgres-search-index.ts'
import { readPostgresSnapshot } from './postgres-snapshot.ts'

/**
 * Opens a pool of connections to the database at `url`, which may be that of a connection pooler in transaction mode;
 * then `directUrl` leads past it, for notifications. Throws when the database cannot be reached, is not in UTF-8, or is
 * behind a pooler without a `directUrl`.
 */
export async function openPostgres(
  addresses: PostgresAddresses,
  { log, connections }: { log?: Log | undefined; connections?: number | undefined } = {},
): Promise<Database> {
  const pool = openPostgresPool(addresses, { log, connections, types: { getTypeParser: typeParser } })
  let isPooled: boolean
  try {
    isPooled = await checkServer(pool, addresses)
  } catch (error) {
    await pool.end()
    throw error
  }
  const dialect = new MeadowDialect({ pool })
  const write = new Kysely<Tables>({ dialect })
  // The one place where Kysely becomes read-only: its type does not allow writes.
  const read = write as never as ReadonlyKysely<Tables>
  let clock: FollowedClock
  try {
    clock = await followClock(
      async () =>
        (await sql<{ now: number }>`select ${databaseNow('postgres')} as now`.execute(write)).rows[0]!.now,
    )
  } catch (error) {
    await pool.end()
    throw error
  }
  keepTime(read, clock.now)
  const outcomes = createWriteOutcomes()
  const notifications = openPostgresNotifications({ url: addresses.directUrl ?? addresses.url, pool, log })

  return {
    dialect: 'postgres',
    read,
    searchIndex: createPostgresSearchIndex(pool),
    transaction: (work) =>
      outcomes.watch(
        write.transaction().execute((transaction) => runWithHooks(transaction, () => timeOf(read), work)),
      ),
    snapshot: (work) => readPostgresSnapshot(pool, work),
    prepare: (build) => createPreparedRead(pool, read, build),
    prepareWrite: (build) => createPreparedWrite(write, build),
    readCommitCounter: createPostgresCommitCounter(pool),
    subscribe: notifications.subscribe,
    publish,
    broadcast: (messages) => broadcast(pool, messages),
    checkNotifications: notifications.check,
    readConnectionLimit: async () => (isPooled ? undefined : readConnectionLimit(pool)),
    async checkWritable() {
      outcomes.check()
      // Nothing else writes this row. The commit waits for the disk, like every other one.
      await pool.query({ text: 'update schema_version set name = name where version = 1' })
    },
    instruments: pool.instruments,
    close() {
      clock.close()
      return pool.end()
    },
  }
}

/**
 * `migrate` holds a lock that ends with its transaction. Kysely's own lock lasts as long as the connection, and in a
 * transaction that has failed it cannot be released.
 */
class MeadowDialect extends PostgresDialect {
  readonly #pool: PostgresPool

  constructor(config: { pool: PostgresPool }) {
    super(config)
    this.#pool = config.pool
  }

  override createAdapter(): PostgresAdapter {
    return new UnlockedPostgresAdapter()
  }

  override createDriver(): Driver {
    return new BoundedPostgresDriver({ pool: this.#pool })
  }
}

/**
 * A transaction whose client has vanished keeps its locks until PostgreSQL notices. No transaction here pauses for this
 * long between two statements. The setting belongs to the transaction: a pooler's next client must not inherit it.
 */
const BEGIN = CompiledQuery.raw("begin; set local idle_in_transaction_session_timeout = '10s'")

class BoundedPostgresDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(BEGIN)
  }
}

class UnlockedPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

const SHORT = { isShort: true }

/** Prepares a read as a named statement, which is parsed and planned once for each connection. */
function createPreparedRead<Parameters extends object, Row>(
  pool: PostgresPool,
  read: ReadonlyKysely<Tables>,
  build: BuildRead<Parameters, Row>,
): PreparedRead<Parameters, Row> {
  const { query, values } = compileOnce(read, build)
  const name = nameStatement(query.sql)
  const all = async (parameters: Parameters): Promise<Row[]> =>
    (await pool.query({ name, text: query.sql, values: values(parameters) }, SHORT)).rows
  return { all, first: async (parameters) => (await all(parameters))[0] }
}

/** Parses large integers as numbers: all columns are keys, milliseconds and counts, far below 2 ** 53. */
function typeParser(type: number, format?: 'text' | 'binary') {
  return type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format as 'text')
}

/** Reads the number of connections, without those that are reserved for superusers. */
async function readConnectionLimit(pool: PostgresPool): Promise<number> {
  const { rows } = await pool.query({
    text: `select current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int as "limit"`,
  })
  return rows[0].limit
}

/** Checks the encoding, and returns whether a pooler is in front of the server. */
async function checkServer(pool: PostgresPool, { directUrl }: PostgresAddresses): Promise<boolean> {
  const client = await pool.connect()
  const { rows } = await client
    .query<{ encoding: string; pid: number }>(
      "select current_setting('server_encoding') as encoding, pg_backend_pid() as pid",
      [],
    )
    .finally(() => client.release())
  const { encoding, pid } = rows[0]!
  if (encoding !== 'UTF8') {
    throw new Error(`it is encoded in ${encoding}, and has to be created with ENCODING 'UTF8'`)
  }
  // A pooler has process ids of its own.
  if (pid === (client as typeof client & { processID: number }).processID) return false
  if (directUrl === undefined) {
    throw new Error(
      'a connection pooler is in front of it, through which no notifications arrive. ' +
        'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself',
    )
  }
  pool.dropNames()
  return true
}
