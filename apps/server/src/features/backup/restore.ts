import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { type BlobCopies, copyBlobs } from '../../platform/blobs/copy-blobs.ts'
import { listProcesses } from '../../platform/cluster/processes.ts'
import { listColumns, type PortableValue } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import { getSchemaVersion, migrate, type Notify } from '../../platform/database/migrate.ts'
import { BASELINE_VERSION, MIGRATIONS, SCHEMA_VERSION } from '../../platform/database/schema/migrations.ts'
import { type FilledTable, writeTables } from '../../platform/database/transfer/write-tables.ts'
import { findUnfinishedRestore, noteUnfinishedRestore } from '../../platform/database/unfinished-restore.ts'
import type { CopyProgress } from './back-up.ts'
import { readChunks, readLines } from './line-chunks.ts'
import { type Moment, readManifest, type SavedSecret, type SavedTable } from './moments.ts'

export interface RestoreParts {
  source: BlobStore
  moment: Moment
  /** The database as it is, with the tables of any version up to that of the moment, or with none. */
  database: Database
  blobs: BlobStore
  /** Hears what the migrations of an older moment changed. */
  notify: Notify
  /** Gets what session cookies were signed with, before the rows are written. */
  takeSecret: (secret: SavedSecret) => Promise<void>
}

/**
 * Makes an empty service what another one was at a saved moment, on either database: first the blobs, then all rows in one
 * transaction, then the migrations since then. A run that is interrupted or killed at any moment can be repeated, and goes
 * on with what is missing. Throws an `Error` with a sentence for the operator when the service is not empty, or the backup is damaged.
 */
export async function restore(
  { source, moment, database, blobs, notify, takeSecret }: RestoreParts,
  progress: CopyProgress = {},
): Promise<BlobCopies> {
  const manifest = await readManifest(source, moment)
  const hasRows = await checkTakes(database, moment)
  await progress.onBlobs?.(moment.blobs)
  const copies = await copyBlobs({ from: source, to: blobs }, readChunks(source, manifest.blobs), progress)
  if (!hasRows) {
    await migrate(database, MIGRATIONS.slice(0, moment.schema - BASELINE_VERSION + 1))
    await takeSecret(manifest.sessionSecret)
    const tables = manifest.tables.map((table) => toFilledTable(source, table, progress))
    await writeTables(database, tables, (write) => noteUnfinishedRestore(write, moment.id))
  }
  await migrate(database, MIGRATIONS, notify)
  return copies
}

function toFilledTable(source: BlobStore, table: SavedTable, { signal, onRows }: CopyProgress): FilledTable {
  return {
    ...table,
    async *rows() {
      for (const chunk of table.rows) {
        signal?.throwIfAborted()
        const rows = (await readLines(source, chunk)).map((line) => JSON.parse(line) as PortableValue[])
        yield rows
        onRows?.(rows.length, table.name)
      }
    },
  }
}

/** Throws unless the database can take the moment. True: it has all rows of it, from a run that was killed after that. */
async function checkTakes(database: Database, moment: Moment): Promise<boolean> {
  if (moment.schema > SCHEMA_VERSION) {
    throw new Error(
      `The moment was saved by Meadow ${moment.meadow}, with version ${moment.schema} of the tables, and this Meadow ` +
        `knows ${SCHEMA_VERSION} at most: restore it with that version or a later one.`,
    )
  }
  if (moment.schema < BASELINE_VERSION) {
    throw new Error(
      `The moment was saved by Meadow ${moment.meadow}, with version ${moment.schema} of the tables, from before 1.0: ` +
        'restore it with that Meadow, and start this one on the restored data.',
    )
  }
  const schema = await getSchemaVersion(database)
  if (schema === 0) return false
  await checkNoProcess(database)
  const unfinished = await findUnfinishedRestore(database)
  if (unfinished === moment.id) return true
  if (unfinished !== undefined)
    throw new Error(
      `The moment ${unfinished} was restored into the database, but not to its end: repeat that with ` +
        `"--moment ${unfinished}", or restore into an empty database.`,
    )
  for (const table of ['team', 'user'] as const) {
    if (!(await hasTable(database, table))) continue
    if (await database.read.selectFrom(table).select('id').limit(1).executeTakeFirst()) {
      throw new Error(
        'The database is not empty: it has teams or people. Restore into an empty one: set MEADOW_DATA_DIR to a new ' +
          'folder, or DATABASE_URL to a new database.',
      )
    }
  }
  if (schema > moment.schema) {
    throw new Error(
      `The database has version ${schema} of the tables already, and the moment has version ${moment.schema}: restore it ` +
        'into a database without tables, which is then brought up to date.',
    )
  }
  return false
}

async function checkNoProcess(database: Database): Promise<void> {
  const [first] = (await hasTable(database, 'process')) ? await listProcesses(database) : []
  if (!first) return
  throw new Error(
    `A process of the service runs on this database: process ${first.pid} on "${first.host}". Stop it first; one that ` +
      'was killed counts as running for some seconds.',
  )
}

const hasTable = async ({ read, dialect }: Database, table: string): Promise<boolean> =>
  (await listColumns(read, dialect, table)).length > 0
