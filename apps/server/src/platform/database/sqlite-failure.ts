import { findSystemReason } from '../system-errors.ts'

/** Says what ails the database in `dataDir`, where a transaction failed for that; other failures stay what they are. */
export function explainSqliteFailure(error: unknown, dataDir: string): unknown {
  const reason = findSystemReason(error)
  const isOfDatabase = error instanceof Error && 'errcode' in error && reason !== undefined
  return isOfDatabase
    ? new Error(`The database in "${dataDir}" cannot be written: ${reason}.`, { cause: error })
    : error
}
