import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

/**
 * Lets better-auth speak to our database, each of its statements through the same door as everyone's: a connection of
 * its own would, on SQLite, hold up the whole process while one of our transactions is open.
 */
export function createAuthDialect(database: Database): Dialect {
  const connection = createConnection(database)
  const driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    // Each write is a transaction of its own, and better-auth is told so.
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    releaseConnection: async () => {},
    destroy: async () => {},
  }
  return database.dialect === 'sqlite'
    ? {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => driver,
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      }
    : {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      }
}

function createConnection(database: Database): DatabaseConnection {
  // Its type forbids statements of others, which might write; these are looked at first.
  const reader = database.read as unknown as Pick<Kysely<Tables>, 'executeQuery'>
  return {
    executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const statement = query as CompiledQuery<R>
      return query.query.kind === 'SelectQueryNode'
        ? reader.executeQuery(statement)
        : database.transaction((write) => write.executeQuery(statement))
    },
    streamQuery() {
      throw new Error('Sign-in reads nothing piece by piece.')
    },
  }
}

function refuseTransaction(): Promise<never> {
  throw new Error('Sign-in has no transactions of its own.')
}
