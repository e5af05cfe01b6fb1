import { ensureDataFolder } from '../data-folder.ts'
import type { Log } from '../log.ts'
import { reasonOf } from '../system-errors.ts'
import type { Database } from './database.ts'
import { migrate, type Notify } from './migrate.ts'
import { MIGRATIONS } from './schema/migrations.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { findUnavailable } from './unavailable.ts'

export interface DatabaseLocation {
  /** The address of PostgreSQL (`postgres://…`); undefined for SQLite in `dataDir`. */
  databaseUrl?: string | undefined
  /** The address of the same database past a connection pooler; undefined without a pooler. */
  databaseDirectUrl?: string | undefined
  /** The maximum number of connections to PostgreSQL; 10 by default. */
  databaseConnections?: number | undefined
  /** The folder of the SQLite file; created when it does not exist. */
  dataDir: string
}

export interface OpenOptions {
  /** Logs outages. */
  log?: Log
  /**
   * Receives sentences for the operator about what was changed while opening; by default they are logged as warnings.
   */
  notify?: Notify
}

/** Opens the database and brings its tables up to date. Throws an `Error` with a sentence for the operator. */
export async function openDatabase(location: DatabaseLocation, options: OpenOptions = {}): Promise<Database> {
  const { log, notify = (sentence) => log?.warn(sentence) } = options
  const database = await openAsItIs(location, options)
  try {
    await migrate(database, MIGRATIONS, notify)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Opens the database with the tables that it has, if any. Throws an `Error` with a sentence for the operator. */
export async function openAsItIs(
  { databaseUrl, databaseDirectUrl, databaseConnections, dataDir }: DatabaseLocation,
  { log, notify = (sentence) => log?.warn(sentence) }: OpenOptions = {},
): Promise<Database> {
  if (!databaseUrl) ensureDataFolder(dataDir, notify)
  try {
    if (!databaseUrl) return openSqlite(dataDir)
    // This is not a static import, so that commands on SQLite start without loading it.
    const { openPostgres } = await import('./postgres/postgres.ts')
    return await openPostgres(
      { url: databaseUrl, directUrl: databaseDirectUrl },
      { log, connections: databaseConnections },
    )
  } catch (cause) {
    // The message does not have the address itself, which holds a password.
    const which = databaseUrl ? `PostgreSQL database at ${hostOf(databaseUrl)}` : `database in "${dataDir}"`
    const reason = findUnavailable(cause)?.reason ?? reasonOf(cause)
    throw new Error(`Cannot open the ${which}: ${reason}.`, { cause })
  }
}

const hostOf = (url: string) => URL.parse(url)?.host || 'an address that cannot be read'
