import { beginBackupRun } from '../../platform/blobs/backup-runs.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { type BlobCopies, copyBlobs } from '../../platform/blobs/copy-blobs.ts'
import { DigestSet } from '../../platform/blobs/digest-set.ts'
import { STORE_METADATA } from '../../platform/cluster/blob-stores.ts'
import { listColumns } from '../../platform/database/columns.ts'
import type { Database, Snapshot } from '../../platform/database/database.ts'
import { getSchemaVersion } from '../../platform/database/migrate.ts'
import { SCHEMA_VERSION } from '../../platform/database/schema/migrations.ts'
import { BACKED_UP } from '../../platform/database/transfer/backed-up-tables.ts'
import { describeTable, readRows } from '../../platform/database/transfer/read-table.ts'
import { VERSION } from '../../platform/version.ts'
import { BLOB_COLUMNS } from '../../team/blob-references.ts'
import { type LineChunk, readChunks, writeLines } from './line-chunks.ts'
import {
  createMomentId,
  FORMAT,
  listMoments,
  lockBackup,
  type Moment,
  readManifest,
  removeMoment,
  type SavedSecret,
  type SavedTable,
  saveMoment,
} from './moments.ts'

export interface BackUpParts {
  database: Database
  blobs: BlobStore
  target: BlobStore
  /** The address of the target, without keys. */
  targetName: string
  sessionSecret: SavedSecret
  /** How many moments the target keeps; undefined for all. */
  keep?: number | undefined
}

/** Hears how far a long run has come. */
export interface CopyProgress {
  signal?: AbortSignal | undefined
  onRows?: (count: number, table: string) => void
  /** Called once, before the first blob, which waits for it. */
  onBlobs?: (count: number) => Promise<void> | void
  onBlob?: (digest: string) => void
}

export interface SavedMoment {
  moment: Moment
  blobs: BlobCopies
  removed: RemovedMoments
}

/** Obsolete solutions may be removed a day after they became that; without them no document lacks anything. */
const LEFT_OUT_AFTER_MS = 12 * 60 * 60 * 1000

/** The number of faults that a manifest names. */
const MAX_FAULTS = 10_000

/**
 * Saves the service as it is at one moment, while it runs: first its rows, then the blobs that they refer to. What the
 * target has already is not copied again. A run that is interrupted leaves no moment; the next one continues it.
 */
export async function backUp(
  { database, blobs, target, targetName, sessionSecret, keep }: BackUpParts,
  progress: CopyProgress = {},
): Promise<SavedMoment> {
  const schema = await getSchemaVersion(database)
  checkSchema(schema)
  if ((await target.readMetadata(STORE_METADATA)) !== undefined) {
    throw new Error(
      'The target holds the files of a service itself: choose another folder or prefix for backups.',
    )
  }
  await using _lock = await lockBackup(target)
  await using run = (await canRecord(database)) ? await beginBackupRun(database, targetName) : undefined
  const now = Date.now()
  const { tables, references } = await database.snapshot(async (snapshot) => ({
    tables: await saveRows(database, snapshot, target, progress),
    references: await writeLines(target, listReferences(database, snapshot, now)),
  }))
  await progress.onBlobs?.(countLines(references))
  const copies = await copyBlobs({ from: blobs, to: target }, readChunks(target, references), progress)
  const rowsOf = (name: string) => countLines(tables.find((table) => table.name === name)?.rows ?? [])
  const moment = await saveMoment(
    target,
    {
      id: createMomentId(now),
      at: new Date(now).toISOString(),
      meadow: VERSION,
      schema,
      database: database.dialect,
      teams: rowsOf('team'),
      documents: rowsOf('document'),
      blobs: countLines(references),
      faults: copies.faults.length,
    },
    {
      format: FORMAT,
      tables,
      blobs: references,
      faults: copies.faults.slice(0, MAX_FAULTS),
      sessionSecret,
    },
  )
  await run?.complete(moment.id)
  const removed = keep === undefined ? { moments: 0, blobs: 0 } : await removeOldMoments(target, keep)
  return { moment, blobs: copies, removed }
}

function checkSchema(schema: number): void {
  if (schema === 0) throw new Error('There is nothing to save: the database has no tables yet.')
  if (schema <= SCHEMA_VERSION) return
  throw new Error(
    `The database has version ${schema} of the tables, and this Meadow knows ${SCHEMA_VERSION} at most: back it up ` +
      'with the newer Meadow.',
  )
}

/** A database of an earlier version, which is backed up before it is upgraded, has no table for that. */
const canRecord = async ({ read, dialect }: Database): Promise<boolean> =>
  (await listColumns(read, dialect, 'backup_run')).length > 0

const countLines = (chunks: readonly LineChunk[]): number => chunks.reduce((sum, { lines }) => sum + lines, 0)

async function saveRows(
  database: Database,
  snapshot: Snapshot,
  target: BlobStore,
  { signal, onRows }: CopyProgress,
): Promise<SavedTable[]> {
  const saved: SavedTable[] = []
  for (const name of BACKED_UP) {
    const table = await describeTable(database, name)
    if (!table) continue
    const { keys: _, ...portable } = table
    const lines = async function* () {
      for await (const rows of readRows(snapshot, table)) {
        signal?.throwIfAborted()
        yield rows.map((row) => JSON.stringify(row))
        onRows?.(rows.length, name)
      }
    }
    saved.push({ ...portable, rows: await writeLines(target, lines()) })
  }
  return saved
}

/** The digests that rows of the moment refer to: each once, in order. */
async function* listReferences(
  { read, dialect }: Database,
  snapshot: Snapshot,
  now: number,
): AsyncGenerator<string[]> {
  const known = new Map<string, Set<string>>()
  for (const table of new Set(BLOB_COLUMNS.map((one) => one.table))) {
    known.set(table, new Set((await listColumns(read, dialect, table)).map(({ name }) => name)))
  }
  // PostgreSQL does not join columns of different collations.
  const collation = dialect === 'postgres' ? ' collate "C"' : ''
  const inUse = ` and (superseded_at is null or superseded_at > ${now - LEFT_OUT_AFTER_MS})`
  const selects = BLOB_COLUMNS.filter(({ table, column }) => known.get(table)?.has(column)).map(
    ({ table, column }) =>
      `select ${column}${collation} as digest from ${table} where ${column} is not null${table === 'solve' ? inUse : ''}`,
  )
  for await (const rows of snapshot.stream(`${selects.join(' union ')} order by digest`, 1000)) {
    yield rows.map(([digest]) => digest as string)
  }
}

interface RemovedMoments {
  moments: number
  /** Blobs that no moment names any more, also those of runs that were interrupted. */
  blobs: number
}

/**
 * Removes all moments but the newest `keep`, and then every blob that none of those names. To be called while
 * `lockBackup` is held. Removes nothing when the manifest of one that stays is damaged.
 */
async function removeOldMoments(store: BlobStore, keep: number): Promise<RemovedMoments> {
  const moments = await listMoments(store)
  const kept = moments.slice(-keep)
  const old = moments.slice(0, -keep)
  const named = new DigestSet()
  for (const moment of kept) {
    const { tables, blobs } = await readManifest(store, moment)
    for (const { digest } of [...tables.flatMap(({ rows }) => rows), ...blobs]) named.add(digest)
    named.add(moment.manifest)
    for await (const digests of readChunks(store, blobs)) for (const digest of digests) named.add(digest)
  }
  for (const moment of old) await removeMoment(store, moment)
  return { moments: old.length, blobs: await removeUnnamed(store, named) }
}

async function removeUnnamed(store: BlobStore, named: DigestSet): Promise<number> {
  let count = 0
  for await (const { digest } of store.list()) {
    if (named.has(digest)) continue
    await store.remove(digest)
    count++
  }
  return count
}
