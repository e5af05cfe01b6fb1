import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import { lockTeam } from '../../team/raise-version.ts'

const BATCH = 100

/**
 * Stores the sizes of contents in the blob store that are older than the column for it (migration 9), so that they count
 * towards the quota of their team. Each is measured once. Returns how many were measured.
 */
export async function measureContents(database: Database, blobs: BlobStore): Promise<number> {
  for (let measured = 0; ; ) {
    const rows = await database.read
      .selectFrom('document')
      .leftJoin('document_snapshot as stored', (join) =>
        join.onRef('stored.document_id', '=', 'document.id').on('stored.format', '=', 'json'),
      )
      .where('document.content_bytes', 'is', null)
      .orderBy('document.id')
      .limit(BATCH)
      .select(['document.id', 'document.team_id as team', 'stored.blob'])
      .execute()
    for (const { id, team, blob } of rows) {
      const opened = blob === null ? undefined : await blobs.open(blob)
      await opened?.close()
      await database.transaction(async (write) => {
        // The lock is needed because the counters of the team change.
        await lockTeam(write, team)
        await write
          .updateTable('document')
          .set({ content_bytes: opened?.size ?? 0 })
          .where('id', '=', id)
          // An edit or an import may have stored another size meanwhile.
          .where('content_bytes', 'is', null)
          .execute()
      })
    }
    measured += rows.length
    if (rows.length < BATCH) return measured
  }
}
