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

/** How the one connection of a dialect is shared. */
export interface ConnectionSharing {
  /** Waits for its turn; resolves to what ends it. */
  acquire(): Promise<() => void>
  /** Begins a transaction on the connection. */
  begin(): Promise<void>
  /** Undoes it, when the failure that is the reason has not done so already. */
  rollback(): void
}

const refuseTransaction = () => {
  throw new Error('This connection is for single reads.')
}

/** A connection that only reads needs no turns: each statement runs to its end before the next one starts. */
export const UNSHARED: ConnectionSharing = {
  acquire: async () => () => {},
  begin: async () => refuseTransaction(),
  rollback: refuseTransaction,
}

/** Kysely over one connection of `node:sqlite`. */
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
  const turns = new WeakMap<DatabaseConnection, () => void>()
  return {
    init: async () => {},
    async acquireConnection() {
      const endTurn = await sharing.acquire()
      const connection = createConnection(statements)
      turns.set(connection, endTurn)
      return connection
    },
    beginTransaction: () => sharing.begin(),
    commitTransaction: async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('commit'))
    },
    rollbackTransaction: async () => sharing.rollback(),
    releaseConnection: async (connection) => turns.get(connection)?.(),
    destroy: async () => {},
  }
}

function createConnection(statements: SqliteStatements): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      const { statement, isReader } = statements.get(sql)
      const values = parameters as SQLInputValue[]
      // Plain objects as PostgreSQL's: those of `node:sqlite` have no prototype.
      if (isReader) return { rows: statement.all(...values).map((row) => ({ ...row }) as Row) }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
    streamQuery() {
      throw new Error('Streaming a query is not supported here.')
    },
  }
}

/** Prepared statements by their SQL text: preparing costs several times the run of a point lookup. */
export interface SqliteStatements {
  get(sql: string): SqliteStatement
}

export interface SqliteStatement {
  statement: StatementSync
  /** Whether it answers with rows. */
  isReader: boolean
}

const KEPT_STATEMENTS = 500

export function createSqliteStatements(connection: DatabaseSync): SqliteStatements {
  const kept = new LRUCache<string, SqliteStatement>({ max: KEPT_STATEMENTS })
  return {
    get(sql) {
      const known = kept.get(sql)
      if (known) return known
      const statement = connection.prepare(sql)
      const prepared = { statement, isReader: statement.columns().length > 0 }
      kept.set(sql, prepared)
      return prepared
    },
  }
}
