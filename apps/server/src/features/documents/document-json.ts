import { createHash } from 'node:crypto'
import type { StoredDocument } from './documents.store.ts'

/**
 * The JSON of `{ "document": … }`. The content is kept as the JSON object that it is sent as, so the facts of the
 * document are put in front of its members and nothing is parsed.
 */
export function documentJson(document: StoredDocument, content: Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.from(`{"document":${writeFacts(document).slice(0, -1)},`),
    content.subarray(1),
    Buffer.from('}'),
  ])
}

/**
 * The entity tag of that JSON, known without it: the content follows from the place in the log of the document, which
 * is the same in every process.
 */
export function documentTag(document: StoredDocument): string {
  const digest = createHash('sha256')
    .update(`${document.seq} ${writeFacts(document)}`)
    .digest('base64url')
  return `"${digest.slice(0, 27)}"`
}

const writeFacts = ({ id, name, createdAt, updatedAt }: StoredDocument): string =>
  JSON.stringify({ id, name, version: 1, createdAt, updatedAt })
