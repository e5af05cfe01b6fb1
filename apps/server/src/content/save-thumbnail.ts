import type { ThumbnailKind } from '@meadow/contract/web'
import type { Write } from '../platform/database/database.ts'
import type { DocumentKey, SolveKey } from '../platform/database/tables.ts'
import { discardBlobs } from '../team/content-blobs.ts'

/** A picture in the blob store. */
export interface StoredThumbnail {
  digest: string
  kind: ThumbnailKind
  /** Whether geometry was left out. */
  isPartial: boolean
}

/** What a picture was made of. */
export interface ThumbnailSource {
  document: DocumentKey
  /** The position in the document's log of the content. */
  seq: number
  /** The newest solve that succeeded; null for none. */
  solve: SolveKey | null
}

/**
 * Replaces the picture of a document, unless it has one of a newer solve or content; without another one it is removed. The
 * blob that the document does not refer to then is discarded.
 */
export async function saveThumbnail(
  write: Write,
  { document, seq, solve }: ThumbnailSource,
  thumbnail: StoredThumbnail | undefined,
): Promise<void> {
  const before = await write
    .selectFrom('document_thumbnail')
    .where('document_id', '=', document)
    .select(['digest', 'seq', 'solve_id'])
    .executeTakeFirst()
  const isNewer =
    !before || (before.solve_id ?? 0) < (solve ?? 0) || (before.solve_id === solve && before.seq <= seq)
  const after = isNewer ? thumbnail?.digest : before.digest
  if (isNewer && thumbnail) {
    const { digest, kind, isPartial } = thumbnail
    const values = { digest, kind, is_partial: isPartial ? 1 : 0, seq, solve_id: solve } as const
    await write
      .insertInto('document_thumbnail')
      .values({ document_id: document, ...values })
      .onConflict((conflict) => conflict.column('document_id').doUpdateSet(values))
      .execute()
  } else if (isNewer)
    await write.deleteFrom('document_thumbnail').where('document_id', '=', document).execute()
  const unused = new Set([before?.digest, thumbnail?.digest])
  unused.delete(after)
  await discardBlobs(
    write,
    [...unused].filter((digest) => digest !== undefined),
  )
}
