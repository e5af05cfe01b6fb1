import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export interface DatabaseLocation {
  /** `postgres://…`: PostgreSQL. Undefined: SQLite in `dataDir`. */
  databaseUrl?: string | undefined
  /** The folder of the SQLite file; made when it is not there. */
  dataDir: string
}

/** Opens the database and brings its tables up to date. Throws an `Error` with a sentence for the operator. */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  const database = location.databaseUrl
    ? await openPostgres(location.databaseUrl)
    : openSqlite(location.dataDir)
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
