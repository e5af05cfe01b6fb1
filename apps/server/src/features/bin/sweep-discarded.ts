import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import { discardBlobs } from '../../team-writes/content-blobs.ts'

/**
 * How long a blob is kept once nothing is known to name it: longer than any answer takes to be sent and any link works,
 * and than whoever stores the same bytes takes to note that they are theirs.
 */
export const KEPT_DISCARDED_MS = 24 * 60 * 60 * 1000
const BATCH = 100

/**
 * Removes the blobs that were discarded before `before` (milliseconds since 1970) and that no document names; returns
 * how many that were. Blobs go first, so that one who is cut off finds the rest again.
 */
export async function sweepDiscarded(database: Database, blobs: BlobStore, before: number): Promise<number> {
  let count = 0
  for (;;) {
    const rows = await database.read
      .selectFrom('discarded_blob')
      .where('discarded_at', '<', before)
      .limit(BATCH)
      .select('digest')
      .execute()
    const digests = rows.map(({ digest }) => digest)
    if (digests.length === 0) return count
    const named = await listNamed(database, digests)
    for (const digest of digests) {
      // One that somebody puts just now is theirs from now on.
      if (!named.has(digest)) await blobs.removeUnlessPut(digest, before)
    }
    count += digests.length - named.size
    await database.transaction((write) =>
      write.deleteFrom('discarded_blob').where('digest', 'in', digests).execute(),
    )
  }
}

/**
 * Lets go of the large values that nothing in their documents has referred to since `before` (milliseconds since 1970):
 * until then whoever took them away may still take that back. Their blobs are discarded.
 */
export async function sweepUnusedValues(database: Database, before: number): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = await database.transaction(async (write) => {
      const rows = await write
        .selectFrom('document_value')
        .where('unused_at', '<', before)
        .limit(BATCH)
        .select(['document_id', 'digest'])
        .execute()
      const gone: string[] = []
      for (const { document_id, digest } of rows) {
        const deleted = await write
          .deleteFrom('document_value')
          .where('document_id', '=', document_id)
          .where('digest', '=', digest)
          // Somebody may have brought it back in this moment.
          .where('unused_at', '<', before)
          .executeTakeFirst()
        if (deleted.numDeletedRows > 0n) gone.push(digest)
      }
      await discardBlobs(write, [...new Set(gone)])
      return rows.length < BATCH
    })
  }
}

/** Those that something still names: two documents of one content, or of one file, share it, and so may an export. */
async function listNamed({ read }: Database, digests: readonly string[]): Promise<Set<string>> {
  const [contents, values, sources, exports] = await Promise.all([
    read.selectFrom('document_snapshot').where('blob', 'in', digests).select('blob as digest').execute(),
    read.selectFrom('document_value').where('digest', 'in', digests).select('digest').execute(),
    read.selectFrom('document').where('source_blob', 'in', digests).select('source_blob as digest').execute(),
    read.selectFrom('export_file').where('digest', 'in', digests).select('digest').execute(),
  ])
  return new Set([...contents, ...values, ...sources, ...exports].map(({ digest }) => digest!))
}
