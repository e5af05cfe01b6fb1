import { sql } from 'kysely'
import { isBackupRunning } from '../../platform/blobs/backup-runs.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import { BLOB_COLUMNS } from '../../team/blob-references.ts'
import { discardBlobs, GARBAGE_GRACE_MS } from '../../team/content-blobs.ts'

const BATCH = 100

/**
 * Removes what nothing has referred to since the time of grace before `now` (milliseconds since 1970); returns the number of
 * removed blobs.
 */
export async function collectGarbage(database: Database, blobs: BlobStore, now: number): Promise<number> {
  const before = now - GARBAGE_GRACE_MS
  await releaseUnusedValues(database, before)
  return removeDiscardedBlobs(database, blobs, before)
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

/**
 * The digests that are still referenced: documents with equal content share a blob, and other files and exports may share
 * it too. Nothing shares the blobs of a solution, which are removed with it.
 */
async function listReferenced({ read }: Database, digests: readonly string[]): Promise<Set<string>> {
  const rows = await Promise.all(
    BLOB_COLUMNS.filter(({ table }) => table !== 'solve').map(({ table, column }) =>
      read
        .selectFrom(
          sql<{ digest: string }>`(select ${sql.ref(column)} as digest from ${sql.table(table)}
            where ${sql.ref(column)} in (${sql.join(digests)}))`.as('reference'),
        )
        .select('digest')
        .execute(),
    ),
  )
  return new Set(rows.flat().map(({ digest }) => digest))
}
