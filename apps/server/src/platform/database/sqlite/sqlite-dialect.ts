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

/** Prepared statements by their SQL text: preparing takes several times as long as a point lookup. */
export interface SqliteStatements {
  get(sql: string): SqliteStatement
}

export interface SqliteStatement {
  statement: StatementSync
  /** Whether the statement returns rows. */
  isReader: boolean
}

const MAX_STATEMENTS = 500

export function createSqliteStatements(connection: DatabaseSync): SqliteStatements {
  const cache = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS })
  return {
    get(sql) {
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
  let prepared: { statement: StatementSync; columns: string[] } | undefined
  const prepare = () => {
    const statement = connection.prepare(sql)
    // Converting arrays to objects here takes half the time of letting `node:sqlite` make the objects.
    statement.setReturnArrays(true)
    prepared = { statement, columns: statement.columns().map(({ name }) => name) }
    return prepared
  }
  return {
    all(values: SQLInputValue[]): Row[] {
      const { statement, columns } = prepared ?? prepare()
      const rows = statement.all(...values) as unknown as unknown[][]
      return rows.map((cells) => toRow<Row>(columns, cells))
    },
    first(values: SQLInputValue[]): Row | undefined {
      const { statement, columns } = prepared ?? prepare()
      const cells = statement.get(...values) as unknown as unknown[] | undefined
      return cells && toRow<Row>(columns, cells)
    },
  }
}

function toRow<Row>(columns: string[], cells: unknown[]): Row {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) row[columns[index]!] = cells[index]
  return row as Row
}
