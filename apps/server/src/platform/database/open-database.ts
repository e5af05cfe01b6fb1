import { ensureDataFolder } from '../data-folder.ts'
import { reasonOf } from '../system-errors.ts'
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
  const database = await connect(location)
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function connect({ databaseUrl, dataDir }: DatabaseLocation): Promise<Database> {
  if (!databaseUrl) ensureDataFolder(dataDir)
  try {
    return databaseUrl ? await openPostgres(databaseUrl) : openSqlite(dataDir)
  } catch (cause) {
    // Not the address itself: it holds a password.
    const which = databaseUrl ? `PostgreSQL database at ${hostOf(databaseUrl)}` : `database in "${dataDir}"`
    throw new Error(`Cannot open the ${which}: ${reasonOf(cause)}.`, { cause })
  }
}

const hostOf = (url: string) => URL.parse(url)?.host || 'an address that cannot be read'
