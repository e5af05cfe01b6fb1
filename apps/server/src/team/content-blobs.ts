import type { GraphContent } from '@meadow/contract'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { Database, Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { inBatches } from '../platform/database/in-batches.ts'
import type { DocumentKey } from '../platform/database/tables.ts'

/** The content of a document: a `GraphContent` as JSON in UTF-8, or the blob that holds it, of `size` bytes. */
export type NewContent =
  | { kind: 'inline'; bytes: Uint8Array }
  | { kind: 'blob'; digest: string; size: number }

/** Larger contents go into the blob store; smaller ones are faster in the database. */
export const MAX_INLINE_BYTES = 100_000

/** Prepares a content to be stored: in the row, or, when it is large, as a blob, which is put here. */
export async function storeContent(blobs: BlobStore, content: GraphContent): Promise<NewContent> {
  return storeContentBytes(blobs, Buffer.from(JSON.stringify(content)))
}

/** Does what `storeContent` does, for a content that is already JSON in UTF-8. */
export async function storeContentBytes(blobs: BlobStore, bytes: Uint8Array): Promise<NewContent> {
  if (bytes.length <= MAX_INLINE_BYTES) return { kind: 'inline', bytes }
  const { digest, size } = await blobs.put(bytes)
  return { kind: 'blob', digest, size }
}

/**
 * How long an unreferenced blob is retained: longer than any response takes to be sent, any link works, and any writer of
 * the same bytes takes to reference them.
 */
export const GARBAGE_GRACE_MS = 24 * 60 * 60 * 1000

/** Marks blobs that may no longer be referenced: they are removed after some time, unless something refers to them. */
export async function discardBlobs(write: Write, digests: readonly string[]): Promise<void> {
  const discarded_at = timeOf(write)
  // Always in this order, so that two transactions cannot deadlock.
  for (const portion of inBatches(digests.toSorted())) {
    await write
      .insertInto('discarded_blob')
      .values(portion.map((digest) => ({ digest, discarded_at })))
      .onConflict((conflict) => conflict.column('digest').doUpdateSet({ discarded_at }))
      .execute()
  }
}

/**
 * Marks blobs that are about to be put for a document, or that nothing may refer to. If no document refers to them some
 * time later, such as after the process that put them was killed, they are removed.
 */
export const discardBlobsUnlessUsed = (
  database: Pick<Database, 'transaction'>,
  digests: readonly string[],
): Promise<void> => database.transaction((write) => discardBlobs(write, digests))

/** Discards the blob of a document's content, which is about to be replaced. */
export async function discardContent(write: Write, document: DocumentKey): Promise<void> {
  const stored = await write
    .selectFrom('document_snapshot')
    .where('document_id', '=', document)
    .where('format', '=', 'json')
    .select('blob')
    .executeTakeFirst()
  if (stored?.blob) await discardBlobs(write, [stored.blob])
}

/** Discards the blob of the clusters of a document, whose facts are about to be replaced. */
export async function discardFacts(write: Write, document: DocumentKey): Promise<void> {
  const stored = await write
    .selectFrom('document_facts')
    .where('document_id', '=', document)
    .select('clusters_blob')
    .executeTakeFirst()
  if (stored?.clusters_blob) await discardBlobs(write, [stored.clusters_blob])
}

/** Discards the blobs of the file that a document was imported from, and of its facts. */
export async function discardSource(write: Write, document: DocumentKey): Promise<void> {
  await discardFacts(write, document)
  const { source_blob } = await write
    .selectFrom('document')
    .where('id', '=', document)
    .select('source_blob')
    .executeTakeFirstOrThrow()
  if (source_blob) await discardBlobs(write, [source_blob])
}
