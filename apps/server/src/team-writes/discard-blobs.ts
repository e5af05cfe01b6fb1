import type { Write } from '../platform/database/database.ts'
import { inPortions } from '../platform/database/in-portions.ts'
import type { DocumentKey } from '../platform/database/tables.ts'

/** Notes blobs that perhaps nothing names any more: they are removed after a while, unless something does. */
export async function discardBlobs(write: Write, digests: readonly string[]): Promise<void> {
  const discarded_at = Date.now()
  // In one order, so that nobody waits for somebody who waits for them.
  for (const portion of inPortions(digests.toSorted())) {
    await write
      .insertInto('discarded_blob')
      .values(portion.map((digest) => ({ digest, discarded_at })))
      .onConflict((conflict) => conflict.column('digest').doUpdateSet({ discarded_at }))
      .execute()
  }
}

/** The same of the content of a document, which is about to be replaced. */
export async function discardContent(write: Write, document: DocumentKey): Promise<void> {
  const stored = await write
    .selectFrom('document_snapshot')
    .where('document_id', '=', document)
    .where('format', '=', 'json')
    .select('blob')
    .executeTakeFirst()
  if (stored?.blob) await discardBlobs(write, [stored.blob])
}

/** The same of the file that a document was imported from. */
export async function discardSource(write: Write, document: DocumentKey): Promise<void> {
  const { source_blob } = await write
    .selectFrom('document')
    .where('id', '=', document)
    .select('source_blob')
    .executeTakeFirstOrThrow()
  if (source_blob) await discardBlobs(write, [source_blob])
}
