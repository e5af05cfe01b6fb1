import type { GraphContent } from '@meadow/contract'
import type { BlobStore } from '../platform/blobs/blobs.ts'

/** What a document holds: the UTF-8 bytes of a `GraphContent` as JSON, or the blob that holds them, of `size` bytes. */
export type NewContent =
  | { kind: 'inline'; bytes: Uint8Array }
  | { kind: 'blob'; digest: string; size: number }

/** Contents above this go into the blob store; smaller ones are faster in the database. */
export const MAX_INLINE_BYTES = 100_000

/** The content as a document keeps it: in its row, or when it is large as a blob, which is put here. */
export async function storeContent(blobs: BlobStore, content: GraphContent): Promise<NewContent> {
  return storeContentBytes(blobs, Buffer.from(JSON.stringify(content)))
}

/** The same of a content that is JSON already, in UTF-8. */
export async function storeContentBytes(blobs: BlobStore, bytes: Uint8Array): Promise<NewContent> {
  if (bytes.length <= MAX_INLINE_BYTES) return { kind: 'inline', bytes }
  const { digest, size } = await blobs.put(bytes)
  return { kind: 'blob', digest, size }
}
