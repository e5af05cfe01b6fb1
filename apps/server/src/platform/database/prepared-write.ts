import type { Kysely } from 'kysely'
import type { BuildWrite, PreparedWrite, Write } from './database.ts'
import { compileOnce } from './placeholders.ts'
import type { Tables } from './tables.ts'

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
