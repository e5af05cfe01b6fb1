import { AsyncLocalStorage } from 'node:async_hooks'
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
import { type DatabaseUnavailableError, findUnavailable } from '../../platform/database/unavailable.ts'

/** The database outage, if any, during a call of better-auth. */
interface AuthCall {
  outage?: DatabaseUnavailableError
}

const calls = new AsyncLocalStorage<AuthCall>()

/** The outage during the current call of better-auth. */
export const findOutageOfCall = (): DatabaseUnavailableError | undefined => calls.getStore()?.outage

/** Runs `work` as a call whose outage `findOutageOfCall` returns. */
export const trackOutage = <T>(work: () => T): T => calls.run({}, work)

/**
 * Calls better-auth, and throws a `DatabaseUnavailableError` if one of its statements failed with one. better-auth
 * itself reports no session, an internal error, or a sign-out that succeeds although the session still exists.
 */
export const callAuth = <T>(call: () => Promise<T>): Promise<T> =>
  trackOutage(async () => {
    const [outcome] = await Promise.allSettled([call()])
    const outage = findOutageOfCall()
    if (outage) throw outage
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })

/**
 * Lets better-auth use the server's database and its connections: on SQLite, a connection of its own would block the
 * process while a transaction of the server is open.
 */
export function createAuthDialect(database: Database): Dialect {
  const connection = createConnection(database)
  const driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    // Each write is its own transaction; better-auth is configured without transactions.
    beginTransaction: rejectTransaction,
    commitTransaction: rejectTransaction,
    rollbackTransaction: rejectTransaction,
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
  // The type of `read` forbids foreign statements, which might write; only selects are passed to it here.
  const reader = database.read as unknown as Pick<Kysely<Tables>, 'executeQuery'>
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const statement = query as CompiledQuery<R>
      try {
        return await (query.query.kind === 'SelectQueryNode'
          ? reader.executeQuery(statement)
          : database.transaction((write) => write.executeQuery(statement)))
      } catch (error) {
        const call = calls.getStore()
        const outage = findUnavailable(error)
        if (call && outage) call.outage = outage
        throw error
      }
    },
    streamQuery() {
      throw new Error('Sign-in does not stream results.')
    },
  }
}

function rejectTransaction(): Promise<never> {
  throw new Error('Sign-in has no transactions of its own.')
}
