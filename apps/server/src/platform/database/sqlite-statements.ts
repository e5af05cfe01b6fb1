import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'

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
