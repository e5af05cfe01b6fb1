import type { Select } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'

/** The UTF-8 bytes of a `GraphContent` as JSON, or the digest of the blob that holds them, as of `seq`. */
export type SolveContent = { seq: number } & ({ bytes: Uint8Array } | { digest: string })

/** `SolveStore.findContent`. */
export async function findContent(read: Select, document: DocumentKey): Promise<SolveContent | undefined> {
  const row = await read
    .selectFrom('document_snapshot')
    .where('document_id', '=', document)
    .where('format', '=', 'json')
    .select(['seq', 'content', 'blob'])
    .executeTakeFirst()
  if (!row) return undefined
  const { seq, content, blob } = row
  // One of the two is there: a check of the table.
  return content ? { seq, bytes: content } : { seq, digest: blob! }
}
