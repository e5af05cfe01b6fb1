import type { CompiledQuery, Kysely, QueryExecutorProvider } from 'kysely'
import type { BuildWrite, PreparedWrite, Query, Write } from './database.ts'
import type { Tables } from './tables.ts'

/** Stands in a query, while it is compiled, where a parameter goes. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A query that was compiled once, to be run with other parameters each time. */
export interface CompiledOnce {
  query: CompiledQuery
  /** The values of the query's parameters, in the order of the SQL text. */
  values(parameters: object): unknown[]
}

/** Compiles what `build` makes of placeholders: `parameters.team` may stand wherever a query takes a value. */
export function compileOnce<Parameters extends object, Db extends object>(
  db: Db,
  build: (db: Db, parameters: Parameters) => Query<unknown>,
): CompiledOnce {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })
  // SQL as it stands has no database of its own to be compiled for.
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

/** A write that is compiled once; both databases' drivers prepare what they need. */
export function createPreparedWrite<Parameters extends object, Row>(
  db: Kysely<Tables>,
  build: BuildWrite<Parameters, Row>,
): PreparedWrite<Parameters, Row> {
  // To compile needs no transaction, so the query may be built outside of one.
  const { query, values } = compileOnce(db as Write, build)
  return async (write, parameters) => {
    const { rows } = await write.executeQuery({ ...query, parameters: values(parameters) })
    return rows as Row[]
  }
}
