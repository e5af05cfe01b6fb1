import type { GraphContent } from '@meadow/contract'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { StoredJson } from './content.store.ts'

/** Reads the graph of a document whose stored content is whole, without references in place of large values. */
export async function readGraph(blobs: BlobStore, content: StoredJson): Promise<GraphContent> {
  const bytes = 'bytes' in content ? content.bytes : await blobs.read(content.digest)
  if (!bytes) throw new Error('The blob of the content of a document is missing.')
  return JSON.parse(new TextDecoder().decode(bytes))
}
