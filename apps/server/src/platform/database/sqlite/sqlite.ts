import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, Kysely } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import { createMutex } from '../../concurrency/mutex.ts'
import { OWNER_ONLY } from '../../data-folder.ts'
import { probeFolder } from '../../probe-folder.ts'
import { reasonOf } from '../../system-errors.ts'
import type { BuildRead, Database, PreparedRead } from '../database.ts'
import { compileOnce, createPreparedWrite } from '../prepared-queries.ts'
import type { Tables } from '../tables.ts'
import { createWriteOutcomes, DatabaseUnavailableError, explainSqliteFailure } from '../unavailable.ts'
import { openCommitCounter, subscribeToSqlite } from './commit-counter.ts'
import { createSqliteDialect, createSqliteStatements, UNSHARED } from './sqlite-dialect.ts'
import { createSqliteSearchIndex } from './sqlite-search-index.ts'

/** How long a write waits for the writes of other processes. */
const MAX_WAIT_MS = 10_000
const LONGEST_PAUSE_MS = 20

/** The file of the database in the data directory; SQLite keeps two more beside it (`-wal`, `-shm`). */
const SQLITE_FILE = 'meadow.sqlite'

/** Whether there is a database in the folder. */
export const hasSqlite = (dataDir: string): boolean => existsSync(join(dataDir, SQLITE_FILE))

/**
 * Opens the database in the folder `dataDir`: one connection that writes, one that only reads.
 * In WAL mode readers see the last commit and wait for nobody, whichever process writes.
 */
export function openSqlite(dataDir: string): Database {
  const path = join(dataDir, SQLITE_FILE)
  // Made here, since SQLite would let everybody read it; the two files beside it get the same permissions.
  closeSync(openSync(path, 'a', OWNER_ONLY.file))
  const writer = openWriter(path)
  const reader = new DatabaseSync(path, { readOnly: true, timeout: MAX_WAIT_MS })
  reader.exec('pragma cache_size = -65536')
  // The first read makes the WAL index.
  reader.prepare('select count(*) from sqlite_schema').get()
  const commitMark = openCommitCounter(path)

  const turns = createMutex()
  const writeDialect = createSqliteDialect(createSqliteStatements(writer), {
    acquire: turns.acquire,
    begin: () => beginImmediate(writer),
    rollback: () => {
      if (writer.isTransaction) writer.exec('rollback')
    },
  })
  const readStatements = createSqliteStatements(reader)
  const write = new Kysely<Tables>({ dialect: writeDialect })
  const read = createReadonlyKysely(createSqliteDialect(readStatements, UNSHARED))
  const outcomes = createWriteOutcomes()

  return {
    dialect: 'sqlite',
    read,
    searchIndex: createSqliteSearchIndex(reader),
    transaction: (work) =>
      outcomes.watch(
        write
          .transaction()
          .execute(work)
          .catch((error) => {
            throw explainSqliteFailure(error, dataDir)
          }),
      ),
    prepare: (build) => createPreparedRead(reader, read, build),
    prepareWrite: (build) => createPreparedWrite(write, build),
    readCommitCounter: commitMark.read,
    subscribe: (tell) => subscribeToSqlite(commitMark.read, tell),
    // Those who watch look for themselves.
    publish: async () => {},
    async checkWritable() {
      outcomes.check()
      // Not a commit: it would move the commit mark, and so empty the response cache.
      await probeFolder(dataDir).catch((cause) => {
        throw new DatabaseUnavailableError('unwritable', reasonOf(cause), { cause })
      })
    },
    async close() {
      await turns.acquire()
      reader.close()
      writer.close()
      commitMark.close()
    },
  }
}

function openWriter(path: string): DatabaseSync {
  const writer = new DatabaseSync(path, { timeout: MAX_WAIT_MS })
  switchToWal(writer)
  // A commit is on disk before it is reported. With `normal` a power cut would undo the last commits,
  // and a token that was revoked would be valid again.
  writer.exec('pragma synchronous = full')
  writer.exec('pragma foreign_keys = on')
  writer.exec('pragma cache_size = -32768')
  writer.exec('pragma journal_size_limit = 67108864')
  // From here on `beginImmediate` does the waiting.
  writer.exec('pragma busy_timeout = 0')
  return writer
}

/**
 * Of several processes that open a new file at once, all but one are refused here, without SQLite's own waiting.
 * While a database is opened nothing else goes on in a process, so it may stand still between the tries.
 */
function switchToWal(writer: DatabaseSync): void {
  const deadline = performance.now() + MAX_WAIT_MS
  const nobody = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    try {
      writer.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      Atomics.wait(nobody, 0, 0, LONGEST_PAUSE_MS)
    }
  }
}

/**
 * Takes the write lock, which other processes take too. SQLite's own waiting would stop the whole process,
 * its reads included; so it is asked again after a pause.
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
  // The low byte is the kind of error, the rest its variety.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
}

/** The one place where Kysely becomes read-only: its type forbids to write, and the connection does too. */
function createReadonlyKysely(dialect: Dialect): ReadonlyKysely<Tables> {
  return new Kysely<Tables>({ dialect }) as never
}

function createPreparedRead<Parameters extends object, Row>(
  reader: DatabaseSync,
  read: ReadonlyKysely<Tables>,
  build: BuildRead<Parameters, Row>,
): PreparedRead<Parameters, Row> {
  const { query, values } = compileOnce(read, build)
  // Prepared late: migrations make the tables.
  let prepared: { statement: StatementSync; columns: string[] } | undefined
  const prepare = () => {
    const statement = reader.prepare(query.sql)
    // A row as an array, made an object here, costs half of one that comes as an object.
    statement.setReturnArrays(true)
    prepared = { statement, columns: statement.columns().map(({ name }) => name) }
    return prepared
  }
  return {
    all: async (parameters) => {
      const { statement, columns } = prepared ?? prepare()
      const rows = statement.all(...(values(parameters) as SQLInputValue[])) as unknown as unknown[][]
      return rows.map((cells) => toRow<Row>(columns, cells))
    },
    first: async (parameters) => {
      const { statement, columns } = prepared ?? prepare()
      const cells = statement.get(...(values(parameters) as SQLInputValue[])) as unknown as
        | unknown[]
        | undefined
      return cells && toRow<Row>(columns, cells)
    },
  }
}

function toRow<Row>(columns: string[], cells: unknown[]): Row {
  const row: Record<string, unknown> = {}
  for (let place = 0; place < columns.length; place++) row[columns[place]!] = cells[place]
  return row as Row
}
