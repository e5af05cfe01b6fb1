import type { Select, Write } from '../../platform/database/database.ts'
import type { ExportFileKey } from '../../platform/database/tables.ts'
import { discardBlobs } from '../../team-writes/content-blobs.ts'

/** A file that nobody will be given any more. */
export interface StaleFile {
  key: ExportFileKey
  /** Null when whoever was to make it left it behind. */
  digest: string | null
}

/**
 * `ExportStore.listStale`: no link leads to it any more, nobody makes it, and it is of a document that was changed
 * since, or of a solve that a newer one took the place of, or of one that is gone.
 */
export const listStale = (read: Select, now: number, limit: number): Promise<StaleFile[]> =>
  read
    .selectFrom('export_file as file')
    .leftJoin('document', 'document.id', 'file.document_id')
    .leftJoin('solve', 'solve.id', 'file.solve_id')
    .where('file.kept_until', '<', now)
    .where(({ or, eb }) => or([eb('file.lease_until', 'is', null), eb('file.lease_until', '<', now)]))
    .where(({ or, and, eb, ref }) =>
      or([
        and([
          eb('file.seq', 'is not', null),
          or([eb('document.seq', 'is', null), eb('document.seq', '!=', ref('file.seq'))]),
        ]),
        and([
          eb('file.seq', 'is', null),
          or([eb('solve.id', 'is', null), eb('solve.superseded_at', 'is not', null)]),
        ]),
      ]),
    )
    .orderBy('file.id')
    .select(['file.id as key', 'file.digest'])
    .limit(limit)
    .execute()

/** `ExportStore.drop`. */
export async function dropFiles(write: Write, files: readonly StaleFile[]): Promise<void> {
  if (files.length === 0) return
  const keys = files.map(({ key }) => key)
  await write.deleteFrom('export_file').where('id', 'in', keys).execute()
  const digests = files.flatMap(({ digest }) => digest ?? [])
  await discardBlobs(write, [...new Set(digests)])
}
