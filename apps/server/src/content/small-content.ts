import type { GraphContent } from '@meadow/contract'
import { putLargeValues } from '@meadow/document/live'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { NewContent } from '../team-writes/store-content.ts'
import type { StoredJson } from './content.store.ts'
import { readStoredJson } from './stored-json.ts'

/** A stored content with its large values in the blob store, as documents that are edited have it. */
export async function readSmallContent(blobs: BlobStore, json: StoredJson): Promise<GraphContent> {
  const content: GraphContent = JSON.parse(new TextDecoder().decode(await readStoredJson(blobs, json)))
  return putLargeValues(content, async (text) => (await blobs.put(Buffer.from(text))).digest)
}

/** What is about to be stored, as if it were. */
export const toStoredJson = (content: NewContent): StoredJson =>
  content.kind === 'inline' ? { bytes: content.bytes } : { digest: content.digest }
