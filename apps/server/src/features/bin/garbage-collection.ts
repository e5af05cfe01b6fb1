import { isBackupRunning } from '../../platform/blobs/backup-runs.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { type IsAssigned, startHourly } from '../../platform/cluster/singleton-jobs.ts'
import { steadyTime } from '../../platform/database/clock-record.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import { discardBlobs, GARBAGE_GRACE_MS } from '../../team/content-blobs.ts'

const BATCH = 100

/** Removes unreferenced blobs now and every hour. Returns a function that ends this. */
export function startGarbageCollection(
  database: Database,
  blobs: BlobStore,
  isAssigned: IsAssigned,
  log: Log,
): () => Promise<void> {
  const collect = async () => {
    const before = (await steadyTime(database.read)) - GARBAGE_GRACE_MS
    await releaseUnusedValues(database, before)
    const count = await removeDiscardedBlobs(database, blobs, before)
    if (count > 0) log.info({ count }, 'removed blobs of what was deleted')
  }
  return startHourly(isAssigned, collect, (err) =>
    log.error({ err }, 'blobs of what was deleted could not be removed'),
  )
}

/**
 * Deletes large values to which their documents have had no reference since `before` (milliseconds since 1970): until
 * then the edit that removed the reference can be undone. Their blobs are discarded.
 */
export async function releaseUnusedValues(database: Database, before: number): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = await database.transaction(async (write) => {
      const rows = await write
        .selectFrom('document_value')
        .where('unused_at', '<', before)
        .limit(BATCH)
        .select(['document_id', 'digest'])
        .execute()
      const released: string[] = []
      for (const { document_id, digest } of rows) {
        const deleted = await write
          .deleteFrom('document_value')
          .where('document_id', '=', document_id)
          .where('digest', '=', digest)
          // A concurrent edit may have referenced it again.
          .where('unused_at', '<', before)
          .executeTakeFirst()
        if (deleted.numDeletedRows > 0n) released.push(digest)
      }
      await discardBlobs(write, [...new Set(released)])
      return rows.length < BATCH
    })
  }
}

/**
 * Removes the blobs that were discarded before `before` (milliseconds since 1970) and that nothing references; returns
 * their number. A blob is removed before its row, so that an interrupted run is continued by the next one. None is removed
 * while a backup runs.
 */
export async function removeDiscardedBlobs(
  database: Database,
  blobs: BlobStore,
  before: number,
): Promise<number> {
  let count = 0
  for (;;) {
    if (await isBackupRunning(database)) return count
    const rows = await database.read
      .selectFrom('discarded_blob')
      .where('discarded_at', '<', before)
      .limit(BATCH)
      .select('digest')
      .execute()
    const digests = rows.map(({ digest }) => digest)
    if (digests.length === 0) return count
    const referenced = await listReferenced(database, digests)
    const retained: string[] = []
    for (const digest of digests) {
      // What was put since then, by a writer, is looked at again after the same time.
      if (!referenced.has(digest) && !(await blobs.removeUnlessPut(digest, before))) retained.push(digest)
    }
    count += digests.length - referenced.size - retained.length
    await database.transaction(async (write) => {
      await write.deleteFrom('discarded_blob').where('digest', 'in', digests).execute()
      await discardBlobs(write, retained)
    })
  }
}

/** The digests that are still referenced: documents with equal content share a blob, and other files and exports may share it too. */
async function listReferenced({ read }: Database, digests: readonly string[]): Promise<Set<string>> {
  const rows = await Promise.all([
    read.selectFrom('document_snapshot').where('blob', 'in', digests).select('blob as digest').execute(),
    read
      .selectFrom('document_facts')
      .where('clusters_blob', 'in', digests)
      .select('clusters_blob as digest')
      .execute(),
    read.selectFrom('document_value').where('digest', 'in', digests).select('digest').execute(),
    read.selectFrom('document_thumbnail').where('digest', 'in', digests).select('digest').execute(),
    read.selectFrom('document').where('source_blob', 'in', digests).select('source_blob as digest').execute(),
    read.selectFrom('version_base').where('blob', 'in', digests).select('blob as digest').execute(),
    read.selectFrom('version_source').where('blob', 'in', digests).select('blob as digest').execute(),
    read
      .selectFrom('version_source')
      .where('clusters_blob', 'in', digests)
      .select('clusters_blob as digest')
      .execute(),
    read.selectFrom('version_value').where('digest', 'in', digests).select('digest').execute(),
    read.selectFrom('team_file').where('blob', 'in', digests).select('blob as digest').execute(),
    read.selectFrom('team_file').where('thumbnail', 'in', digests).select('thumbnail as digest').execute(),
    read.selectFrom('export_file').where('digest', 'in', digests).select('digest').execute(),
  ])
  return new Set(rows.flat().map(({ digest }) => digest!))
}
