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

/** The outage, if any, that a call of better-auth met. */
interface AuthCall {
  outage?: DatabaseUnavailableError
}

const calls = new AsyncLocalStorage<AuthCall>()

/** The outage that the call of better-auth met that runs now. */
export const findOutageOfCall = (): DatabaseUnavailableError | undefined => calls.getStore()?.outage

/** Does `work` so that `findOutageOfCall` knows, in all that it starts, which outage it met. */
export const trackOutage = <T>(work: () => T): T => calls.run({}, work)

/**
 * Calls better-auth, and fails with a `DatabaseUnavailableError` if one of its statements did. better-auth itself turns
 * that into answers of its own: no session, an internal error, or a sign-out that succeeds while the session lives on.
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
      throw new Error('Sign-in reads nothing piece by piece.')
    },
  }
}

function refuseTransaction(): Promise<never> {
  throw new Error('Sign-in has no transactions of its own.')
}
