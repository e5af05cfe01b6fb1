import type { GraphContent } from '@meadow/contract'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { StoredJson } from './content.store.ts'

type Read = Pick<BlobStore, 'read'>

/** Reads the graph of a document whose stored content is whole, without references in place of large values. */
export const readGraph = async (blobs: Read, content: StoredJson): Promise<GraphContent> =>
  JSON.parse(new TextDecoder().decode(await readStoredBytes(blobs, content)))

/** Reads the bytes of a stored content as they are. Throws when its blob is missing. */
export const readStoredBytes = async (blobs: Read, json: StoredJson): Promise<Uint8Array> =>
  'bytes' in json ? json.bytes : readContentBlob(blobs, json.digest)

/** Reads a blob that belongs to the content of a document or a version. Throws when it is missing. */
export async function readContentBlob(blobs: Read, digest: string): Promise<Uint8Array> {
  const bytes = await blobs.read(digest)
  if (!bytes) throw new Error(`The blob ${digest} of a document's content is missing.`)
  return bytes
}
