import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { tracedStatement } from '../observe-database.ts'

/** How the single connection of a dialect is shared. */
export interface ConnectionSharing {
  /** Waits until the connection is free; resolves to a function that releases it. */
  acquire(): Promise<() => void>
  /** Begins a transaction on the connection. */
  begin(): Promise<void>
  /** Rolls the transaction back, unless the error has already done so. */
  rollback(): void
}

const rejectTransaction = () => {
  throw new Error('This connection is for single reads.')
}

/** A read-only connection needs no lock: each statement runs to its end before the next one starts. */
export const UNSHARED: ConnectionSharing = {
  acquire: async () => () => {},
  begin: async () => rejectTransaction(),
  rollback: rejectTransaction,
}

/** Creates a dialect of Kysely over one connection of `node:sqlite`. */
export function createSqliteDialect(statements: SqliteStatements, sharing: ConnectionSharing): Dialect {
  return {
    createDriver: () => createDriver(statements, sharing),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** SQLite rolls changes of tables back too, which Kysely's adapter denies; `migrate` depends on it. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function createDriver(statements: SqliteStatements, sharing: ConnectionSharing): Driver {
  const releases = new WeakMap<DatabaseConnection, () => void>()
  return {
    init: async () => {},
    async acquireConnection() {
      const release = await sharing.acquire()
      const connection = createConnection(statements)
      releases.set(connection, release)
      return connection
    },
    beginTransaction: () => sharing.begin(),
    commitTransaction: async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('commit'))
    },
    rollbackTransaction: async () => sharing.rollback(),
    releaseConnection: async (connection) => releases.get(connection)?.(),
    destroy: async () => {},
  }
}

function createConnection(statements: SqliteStatements): DatabaseConnection {
  return {
    executeQuery: <Row>({ sql, parameters }: CompiledQuery) =>
      tracedStatement('sqlite', sql, async () => {
        const { statement, isReader } = statements.get(sql)
        const values = parameters as SQLInputValue[]
        // The rows become plain objects, as with PostgreSQL, since those of `node:sqlite` have no prototype.
        if (isReader) return { rows: statement.all(...values).map((row) => ({ ...row }) as Row) }
        const { changes, lastInsertRowid } = statement.run(...values)
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
      }),
    streamQuery() {
      throw new Error('Streaming a query is not supported here.')
    },
  }
}

const MAX_STATEMENTS = 500

type SqliteStatements = ReturnType<typeof createSqliteStatements>

/** Prepares statements, and keeps them by their SQL: preparing takes several times as long as a point lookup. */
export function createSqliteStatements(connection: DatabaseSync) {
  /** `isReader` says whether the statement returns rows. */
  const cache = new LRUCache<string, { statement: StatementSync; isReader: boolean }>({ max: MAX_STATEMENTS })
  return {
    get(sql: string) {
      const cached = cache.get(sql)
      if (cached) return cached
      const statement = connection.prepare(sql)
      const prepared = { statement, isReader: statement.columns().length > 0 }
      cache.set(sql, prepared)
      return prepared
    },
  }
}

/**
 * Prepares a statement that is run often, for rows that are plain objects. The statement is prepared when first used,
 * since migrations create the tables.
 */
export function prepareRows<Row>(connection: DatabaseSync, sql: string) {
  let prepared: StatementSync | undefined
  let columns: string[] = []
  const prepare = () => {
    prepared = connection.prepare(sql)
    // Converting arrays to objects here takes half the time of letting `node:sqlite` make the objects.
    prepared.setReturnArrays(true)
    columns = prepared.columns().map(({ name }) => name)
    return prepared
  }
  const toRow = (cells: unknown): Row => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++) row[columns[index]!] = (cells as unknown[])[index]
    return row as Row
  }
  return {
    all: (values: SQLInputValue[]): Row[] => (prepared ?? prepare()).all(...values).map(toRow),
    first(values: SQLInputValue[]): Row | undefined {
      const cells = (prepared ?? prepare()).get(...values)
      return cells && toRow(cells)
    },
  }
}
