import { cutReferences, type LiveJson } from '@meadow/document/live'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { StoredJson } from './content.store.ts'

const REFERENCE_MARK = Buffer.from('"$blob":"')

/** The bytes of a stored content, with large values put in where references stand for them. */
export async function readStoredJson(blobs: BlobStore, json: StoredJson): Promise<Uint8Array> {
  const bytes = 'bytes' in json ? json.bytes : await getBlob(blobs, json.digest)
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(REFERENCE_MARK)) return bytes
  return createComposer(blobs)(cutReferences(new TextDecoder().decode(bytes)))
}

/** Gives the bytes of one content again and again: text that was there the last time is not encoded again. */
export type Composer = (json: LiveJson) => Promise<Uint8Array>

/** Large values are put in where there are gaps. */
export function createComposer(blobs: BlobStore): Composer {
  let known = new Map<string, Uint8Array>()
  return async (json) => {
    const encoded = new Map<string, Uint8Array>()
    const parts: Uint8Array[] = []
    for (const piece of json) {
      if (typeof piece !== 'string') parts.push(await getBlob(blobs, piece.$blob))
      else {
        const bytes = known.get(piece) ?? Buffer.from(piece)
        encoded.set(piece, bytes)
        parts.push(bytes)
      }
    }
    known = encoded
    return Buffer.concat(parts)
  }
}

async function getBlob(blobs: BlobStore, digest: string): Promise<Uint8Array> {
  const bytes = await blobs.read(digest)
  if (!bytes) throw new Error(`The blob ${digest} of a document's content is missing.`)
  return bytes
}
