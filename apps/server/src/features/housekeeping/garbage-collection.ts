import { sql } from 'kysely'
import { isBackupRunning } from '../../platform/blobs/backup-runs.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { DigestSet } from '../../platform/blobs/digest-set.ts'
import type { Database } from '../../platform/database/database.ts'
import { BLOB_COLUMNS, listBlobReferences } from '../../team/blob-references.ts'
import { discardBlobs, discardBlobsUnlessUsed, GARBAGE_GRACE_MS } from '../../team/content-blobs.ts'

const BATCH = 100

/** The metadata of the store that says when all of it was searched for blobs that no row names. */
const SEARCHED = 'searched-for-garbage'
const SEARCH_EVERY_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Discards blobs that no row names and that were put more than the time of grace before `now` (milliseconds since 1970):
 * a process that is killed, or whose transaction fails, leaves what it has put by then. Returns their number. The whole
 * store is searched once a week; a call before that does nothing.
 */
export async function discardUnnamedBlobs(
  database: Database,
  blobs: BlobStore,
  now: number,
): Promise<number> {
  const searchedAt = Number((await blobs.readMetadata(SEARCHED)) ?? 0)
  if (Math.abs(now - searchedAt) < SEARCH_EVERY_MS) return 0
  const named = new DigestSet()
  for await (const page of listBlobReferences(database.read)) for (const { digest } of page) named.add(digest)
  // What is discarded already keeps its time.
  const discarded = await database.read.selectFrom('discarded_blob').select('digest').execute()
  for (const { digest } of discarded) named.add(digest)
  let count = 0
  const unnamed: string[] = []
  const flush = async () => {
    const digests = unnamed.splice(0)
    count += digests.length
    if (digests.length > 0) await discardBlobsUnlessUsed(database, digests)
  }
  // The references were read first: a blob that is put and named meanwhile is new.
  for await (const { digest, putAt } of blobs.list()) {
    if (putAt < now - GARBAGE_GRACE_MS && !named.has(digest)) unnamed.push(digest)
    if (unnamed.length === BATCH) await flush()
  }
  await flush()
  await blobs.writeMetadata(SEARCHED, String(now))
  return count
}

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
