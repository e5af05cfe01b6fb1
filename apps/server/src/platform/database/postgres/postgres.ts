import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import pg from 'pg'
import type { Log } from '../../log.ts'
import type { BuildRead, Database, PreparedRead } from '../database.ts'
import { compileOnce, createPreparedWrite } from '../prepared-queries.ts'
import type { Tables } from '../tables.ts'
import { createWriteOutcomes } from '../unavailable.ts'
import { publish, subscribeToPostgres } from './postgres-notifications.ts'
import { openPostgresPool, type PostgresPool } from './postgres-pool.ts'
import { createPostgresSearchIndex } from './postgres-search-index.ts'
import { readPostgresSnapshot } from './postgres-snapshot.ts'

/** Opens a pool of connections to the database at `url`. Throws when it cannot be reached or is not in UTF-8. */
export async function openPostgres(
  url: string,
  { log, connections }: { log?: Log | undefined; connections?: number | undefined } = {},
): Promise<Database> {
  const pool = openPostgresPool(url, { log, connections, types: { getTypeParser: typeParser } })
  try {
    await checkEncoding(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  const write = new Kysely<Tables>({ dialect: new UnlockedPostgresDialect({ pool }) })
  // The one place where Kysely becomes read-only: its type does not allow writes.
  const read = write as never as ReadonlyKysely<Tables>
  const outcomes = createWriteOutcomes()
  let statements = 0

  return {
    dialect: 'postgres',
    read,
    searchIndex: createPostgresSearchIndex(pool),
    transaction: (work) => outcomes.watch(write.transaction().execute(work)),
    snapshot: (work) => readPostgresSnapshot(pool, work),
    prepare: (build) => createPreparedRead(pool, `meadow_${++statements}`, read, build),
    prepareWrite: (build) => createPreparedWrite(write, build),
    readCommitCounter: () => undefined,
    subscribe: (listener) => subscribeToPostgres(url, listener),
    publish,
    async checkWritable() {
      outcomes.check()
      // A row of ours that nothing else writes. The commit waits for the disk, as every other one does.
      await pool.query({ text: 'update schema_version set name = name where version = 1' })
    },
    instruments: pool.instruments,
    close: () => pool.end(),
  }
}

/**
 * `migrate` holds a lock that ends with its transaction. Kysely's own lock lasts as long as the connection, and in a
 * transaction that has failed it cannot be released.
 */
class UnlockedPostgresDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new UnlockedPostgresAdapter()
  }
}

class UnlockedPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** A named statement is parsed and planned once for each connection. */
function createPreparedRead<Parameters extends object, Row>(
  pool: PostgresPool,
  name: string,
  read: ReadonlyKysely<Tables>,
  build: BuildRead<Parameters, Row>,
): PreparedRead<Parameters, Row> {
  const { query, values } = compileOnce(read, build)
  const all = async (parameters: Parameters): Promise<Row[]> =>
    (await pool.query({ name, text: query.sql, values: values(parameters) })).rows
  return { all, first: async (parameters) => (await all(parameters))[0] }
}

/** Large integers become numbers: all columns are keys, milliseconds and counts, far below 2 ** 53. */
function typeParser(type: number, format?: 'text' | 'binary') {
  return type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format as 'text')
}

async function checkEncoding(pool: PostgresPool): Promise<void> {
  const { rows } = await pool.query({ text: 'show server_encoding' })
  const encoding = rows[0]?.server_encoding
  if (encoding !== 'UTF8') {
    throw new Error(`it is encoded in ${encoding}, and has to be created with ENCODING 'UTF8'`)
  }
}
