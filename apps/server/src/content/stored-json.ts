import { cutReferences, type LiveJson } from '@meadow/document/live'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { StoredJson } from './content.store.ts'

const REFERENCE_MARK = Buffer.from('"$blob":"')

/** The bytes of a stored content, with large values put in where references stand for them. */
export async function readStoredJson(blobs: BlobStore, json: StoredJson): Promise<Uint8Array> {
  const bytes = 'bytes' in json ? json.bytes : await getBlob(blobs, json.digest)
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(REFERENCE_MARK)) return bytes
  return composeJson(blobs, cutReferences(new TextDecoder().decode(bytes)))
}

/** The bytes of a content, with large values put in where there are gaps. */
export async function composeJson(blobs: BlobStore, json: LiveJson): Promise<Uint8Array> {
  if (json.length === 1 && typeof json[0] === 'string') return Buffer.from(json[0])
  const pieces: Uint8Array[] = []
  for (const piece of json) {
    pieces.push(typeof piece === 'string' ? Buffer.from(piece) : await getBlob(blobs, piece.$blob))
  }
  return Buffer.concat(pieces)
}

async function getBlob(blobs: BlobStore, digest: string): Promise<Uint8Array> {
  const bytes = await blobs.read(digest)
  if (!bytes) throw new Error(`The blob ${digest} of a document's content is missing.`)
  return bytes
}
