import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, Kysely } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import { createMutex } from '../../concurrency/mutex.ts'
import { OWNER_ONLY } from '../../data-folder.ts'
import { probeFolder } from '../../probe-folder.ts'
import { reasonOf } from '../../system-errors.ts'
import { isTracing } from '../../telemetry/tracing.ts'
import { runWithHooks } from '../commit-hooks.ts'
import type { BuildRead, Database, PreparedRead } from '../database.ts'
import { keepTime, timeOf } from '../database-clock.ts'
import { tracedStatement } from '../observe-database.ts'
import { compileOnce, createPreparedWrite } from '../prepared-queries.ts'
import type { Tables } from '../tables.ts'
import { createWriteOutcomes, DatabaseUnavailableError, explainSqliteFailure } from '../unavailable.ts'
import { openCommitCounter, subscribeToSqlite } from './commit-counter.ts'
import { createSqliteDialect, createSqliteStatements, prepareRows, UNSHARED } from './sqlite-dialect.ts'
import { createSqliteSearchIndex } from './sqlite-search-index.ts'
import { readSqliteSnapshot } from './sqlite-snapshot.ts'

/** How long a write waits for the writes of other processes. */
const MAX_WAIT_MS = 10_000
const LONGEST_PAUSE_MS = 20

/** The file of the database in the data directory; SQLite keeps two more beside it (`-wal`, `-shm`). */
const SQLITE_FILE = 'meadow.sqlite'

/** Whether the folder has a database. */
export const hasSqlite = (dataDir: string): boolean => existsSync(join(dataDir, SQLITE_FILE))

/**
 * Opens the database in the folder `dataDir` with two connections, one for writes and one for reads. In WAL mode reads
 * see the last commit and never wait for writes.
 */
export function openSqlite(dataDir: string): Database {
  const path = join(dataDir, SQLITE_FILE)
  // The file is created here, since SQLite would make it readable for everyone. The two files beside it get the same
  // permissions.
  closeSync(openSync(path, 'a', OWNER_ONLY.file))
  const writer = openWriter(path)
  const reader = new DatabaseSync(path, { readOnly: true, timeout: MAX_WAIT_MS })
  reader.exec('pragma cache_size = -65536')
  // The first read makes the WAL index.
  reader.prepare('select count(*) from sqlite_schema').get()
  const commitCounter = openCommitCounter(path)

  const mutex = createMutex()
  const writeDialect = createSqliteDialect(createSqliteStatements(writer), {
    acquire: mutex.acquire,
    begin: () => beginImmediate(writer),
    rollback: () => {
      if (writer.isTransaction) writer.exec('rollback')
    },
  })
  const readStatements = createSqliteStatements(reader)
  const write = new Kysely<Tables>({ dialect: writeDialect })
  const read = createReadonlyKysely(createSqliteDialect(readStatements, UNSHARED))
  // An embedded database has the clock of its process.
  keepTime(read, () => Date.now())
  const outcomes = createWriteOutcomes()

  return {
    dialect: 'sqlite',
    read,
    searchIndex: createSqliteSearchIndex(reader),
    transaction: (work) =>
      outcomes.watch(
        write
          .transaction()
          .execute((transaction) => runWithHooks(transaction, () => timeOf(read), work))
          .catch((error) => {
            throw explainSqliteFailure(error, dataDir)
          }),
      ),
    snapshot: (work) => readSqliteSnapshot(path, work),
    prepare: (build) => createPreparedRead(reader, read, build),
    prepareWrite: (build) => createPreparedWrite(write, build),
    readCommitCounter: commitCounter.read,
    subscribe: (listener) => subscribeToSqlite(commitCounter.read, listener),
    // Nothing is sent, since subscribers poll the commit counter.
    publish: async () => {},
    broadcast: async () => {},
    checkNotifications: async () => {},
    readConnectionLimit: async () => undefined,
    async checkWritable() {
      outcomes.check()
      // A file is written instead of a commit, which would change the commit counter and so invalidate the response
      // cache.
      await probeFolder(dataDir).catch((cause) => {
        throw new DatabaseUnavailableError('unwritable', reasonOf(cause), { cause })
      })
    },
    instruments: [],
    async close() {
      await mutex.acquire()
      reader.close()
      writer.close()
      commitCounter.close()
    },
  }
}

function openWriter(path: string): DatabaseSync {
  const writer = new DatabaseSync(path, { timeout: MAX_WAIT_MS })
  switchToWal(writer)
  // A commit is durable before it is reported. With `normal` a power failure could undo the last commits, and make a
  // revoked token valid again.
  writer.exec('pragma synchronous = full')
  writer.exec('pragma foreign_keys = on')
  writer.exec('pragma cache_size = -32768')
  writer.exec('pragma journal_size_limit = 67108864')
  // From here on `beginImmediate` waits instead.
  writer.exec('pragma busy_timeout = 0')
  return writer
}

/**
 * Switches to WAL mode. When several processes open a new file at once, this fails in all but one, without SQLite's
 * busy timeout. A process does nothing else while it opens a database, so it may block between the attempts.
 */
function switchToWal(writer: DatabaseSync): void {
  const deadline = performance.now() + MAX_WAIT_MS
  const never = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    try {
      writer.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      Atomics.wait(never, 0, 0, LONGEST_PAUSE_MS)
    }
  }
}

/**
 * Takes the write lock, which other processes take too. SQLite's busy timeout would block the whole process, reads
 * included, so this retries after a pause.
 */
async function beginImmediate(writer: DatabaseSync): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      writer.exec('begin immediate')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(pauseMs)
    }
  }
}

const SQLITE_BUSY = 5

function isBusy(error: unknown): boolean {
  // The low byte is the primary result code.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
}

/** Creates a read-only Kysely; nothing else makes it read-only. Neither its type nor the connection allows writes. */
function createReadonlyKysely(dialect: Dialect): ReadonlyKysely<Tables> {
  return new Kysely<Tables>({ dialect }) as never
}

function createPreparedRead<Parameters extends object, Row>(
  reader: DatabaseSync,
  kysely: ReadonlyKysely<Tables>,
  build: BuildRead<Parameters, Row>,
): PreparedRead<Parameters, Row> {
  const { query, values } = compileOnce(kysely, build)
  const rows = prepareRows<Row>(reader, query.sql)
  const read: PreparedRead<Parameters, Row> = {
    all: async (parameters) => rows.all(values(parameters) as SQLInputValue[]),
    first: async (parameters) => rows.first(values(parameters) as SQLInputValue[]),
  }
  if (!isTracing()) return read
  return {
    all: (parameters) => tracedStatement('sqlite', query.sql, () => read.all(parameters)),
    first: (parameters) => tracedStatement('sqlite', query.sql, () => read.first(parameters)),
  }
}
