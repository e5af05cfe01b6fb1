import { rm } from 'node:fs/promises'
import type { Database } from '../platform/database/database.ts'
import { type DatabaseLocation, openDatabase } from '../platform/database/open-database.ts'
import { atEnd, type TestScope } from './at-end.ts'
import { createDataFolder } from './data-folders.ts'
import { createPostgresDatabase } from './postgres-databases.ts'
import { createQuickFolder } from './quick-folder.ts'
import { FEATURES_ON_POSTGRES_VARIABLE, whyNoPostgres } from './test-postgres.ts'

/** A kind of database that tests run on: `for (const kind of DATABASES) describe(kind.name, kind.options, …)`. */
export interface TestDatabase {
  name: 'sqlite' | 'postgres'
  /** For `describe`: skips the tests, with the reason, where this kind cannot be had. */
  options: { skip: string | false }
  /** The location of a fresh database; `empty`: without any tables. It goes when the test is over. */
  createLocation(t: TestScope, options?: { empty: boolean }): Promise<DatabaseLocation>
  /** Opens a fresh database, whose tables are up to date. */
  open(t: TestScope): Promise<Database>
}

async function placeSqlite(t: TestScope, { empty } = { empty: false }): Promise<DatabaseLocation> {
  const dataDir = await (empty ? createQuickFolder : createDataFolder)('meadow-test-')
  atEnd(t, () => rm(dataDir, { recursive: true }))
  return { dataDir }
}

async function placePostgres(t: TestScope, { empty } = { empty: false }): Promise<DatabaseLocation> {
  return { databaseUrl: await createPostgresDatabase(t, empty), dataDir: '' }
}

function kind(
  name: TestDatabase['name'],
  skip: string | false,
  createLocation: TestDatabase['createLocation'],
): TestDatabase {
  return {
    name,
    options: { skip },
    createLocation,
    async open(t) {
      const database = await openDatabase(await createLocation(t))
      atEnd(t, () => database.close())
      return database
    },
  }
}

/** SQLite, and a real PostgreSQL where its package has binaries for this machine. */
export const DATABASES: readonly TestDatabase[] = [
  kind('sqlite', false, placeSqlite),
  kind('postgres', whyNoPostgres() ?? false, placePostgres),
]

/**
 * For tests of features, which do the same on both kinds: SQLite, in a run of both tiers PostgreSQL where it can be had.
 * What can differ between the kinds (stores, transactions, notifications, outages, the rules of the API) is tested on
 * `DATABASES`.
 */
export const FEATURE_DATABASES: readonly TestDatabase[] = DATABASES.filter(
  // biome-ignore lint/style/noProcessEnv: how the run passes it to its test processes; no part of the service.
  ({ name }) => (name === 'postgres') === (FEATURES_ON_POSTGRES_VARIABLE in process.env && !whyNoPostgres()),
)
