import type { CompiledQuery, Kysely, QueryExecutorProvider } from 'kysely'
import type { BuildWrite, PreparedWrite, Query, Write } from './database.ts'
import type { Tables } from './tables.ts'

/** Takes the place of a parameter while a query is compiled. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A query that was compiled once and runs with different parameters. */
export interface CompiledOnce {
  query: CompiledQuery
  /** Returns the values for the query's parameters, in the order of the SQL text. */
  values(parameters: object): unknown[]
}

/** Compiles the query that `build` makes: it may use `parameters.team` wherever a query takes a value. */
export function compileOnce<Parameters extends object, Db extends object>(
  db: Db,
  build: (db: Db, parameters: Parameters) => Query<unknown>,
): CompiledOnce {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })
  // Raw SQL does not know for which database it is compiled.
  const query = build(db, placeholders as Parameters).compile(db as unknown as QueryExecutorProvider)
  const sources = query.parameters.map((value) =>
    value instanceof Placeholder ? { name: value.name } : { value },
  )
  return {
    query,
    values: (parameters) =>
      sources.map((source) =>
        source.name === undefined ? source.value : (parameters as Record<string, unknown>)[source.name],
      ),
  }
}

/**
 * Prepares a write like `Database.prepareWrite` where there is a transaction and no `Database`. It is compiled once for
 * each open database.
 */
export function prepareInTransactions<Parameters extends object, Row>(
  build: BuildWrite<Parameters, Row>,
): PreparedWrite<Parameters, Row> {
  const compiled = new WeakMap<object, PreparedWrite<Parameters, Row>>()
  return (write, parameters) => {
    // All transactions of a database have the same adapter.
    const { adapter } = write.getExecutor()
    const known = compiled.get(adapter) ?? createPreparedWrite(write, build)
    compiled.set(adapter, known)
    return known(write, parameters)
  }
}

/** Creates a write that is compiled once. The drivers of both databases prepare the statement. */
export function createPreparedWrite<Parameters extends object, Row>(
  db: Kysely<Tables>,
  build: BuildWrite<Parameters, Row>,
): PreparedWrite<Parameters, Row> {
  // Compiling needs no transaction.
  const { query, values } = compileOnce(db as Write, build)
  return async (write, parameters) => {
    const { rows } = await write.executeQuery({ ...query, parameters: values(parameters) })
    return rows as Row[]
  }
}
