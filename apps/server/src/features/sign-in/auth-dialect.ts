import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RootOperationNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  TableNode,
} from 'kysely'
import type { Database, Write } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { type DatabaseUnavailableError, findUnavailable } from '../../platform/database/unavailable.ts'

/** A call of better-auth. */
interface AuthCall {
  /** The database outage during it, if any. */
  outage?: DatabaseUnavailableError
  watch?: AuthWatch | undefined
}

/** What is recorded of a call of better-auth. */
export interface AuthWatch {
  /** The statements of better-auth that it is about, such as those that insert a session. */
  kind: 'InsertQueryNode' | 'DeleteQueryNode'
  table: keyof Tables
  /** Runs in the transaction of each such statement, with the rows that it returned. */
  record(write: Write, rows: readonly unknown[]): void | Promise<void>
}

const calls = new AsyncLocalStorage<AuthCall>()

/** The outage during the current call of better-auth. */
export const findOutageOfCall = (): DatabaseUnavailableError | undefined => calls.getStore()?.outage

/** Runs `work` as a call whose outage `findOutageOfCall` returns. */
export const trackOutage = <T>(work: () => T, watch?: AuthWatch): T => calls.run({ watch }, work)

/**
 * Calls better-auth, and throws a `DatabaseUnavailableError` if one of its statements failed with one. better-auth
 * itself reports no session, an internal error, or a sign-out that succeeds although the session still exists.
 */
export const callAuth = <T>(call: () => Promise<T>, watch?: AuthWatch): Promise<T> =>
  trackOutage(async () => {
    const [outcome] = await Promise.allSettled([call()])
    const outage = findOutageOfCall()
    if (outage) throw outage
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }, watch)

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
          : database.transaction(async (write) => {
              const result = await write.executeQuery(statement)
              const watch = calls.getStore()?.watch
              if (watch && isWatched(query, watch)) await watch.record(write, result.rows)
              return result
            }))
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

function isWatched({ query }: CompiledQuery, { kind, table }: AuthWatch): boolean {
  return query.kind === kind && findTable(query) === table
}

function findTable(query: RootOperationNode): string | undefined {
  let node: OperationNode | undefined
  if (query.kind === 'InsertQueryNode') node = query.into
  else if (query.kind === 'DeleteQueryNode') node = query.from.froms[0]
  return node && TableNode.is(node) ? node.table.identifier.name : undefined
}

function rejectTransaction(): Promise<never> {
  throw new Error('Sign-in has no transactions of its own.')
}
