import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { StoredContent, StoredDocument } from './documents.store.ts'

/**
 * The JSON of `{ "document": … }`. The content is stored as the JSON object that it is sent as, so the facts of the
 * document are put in front of its members and nothing is parsed.
 */
export async function documentJson(document: StoredDocument, blobs: BlobStore): Promise<Uint8Array> {
  const { id, name, createdAt, updatedAt } = document
  const facts = JSON.stringify({ id, name, version: 1, createdAt, updatedAt })
  const content = await readContent(document.content, blobs)
  return Buffer.concat([
    Buffer.from(`{"document":${facts.slice(0, -1)},`),
    content.subarray(1),
    Buffer.from('}'),
  ])
}

async function readContent(content: StoredContent, blobs: BlobStore): Promise<Uint8Array> {
  if (content.kind === 'inline') return content.bytes
  const bytes = await blobs.read(content.digest)
  if (!bytes) throw new Error(`The blob ${content.digest} of a document's content is missing.`)
  return bytes
}
