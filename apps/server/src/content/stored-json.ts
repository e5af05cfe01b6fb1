import { cutReferences, type LiveJson } from '@meadow/document/live'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { StoredJson } from './content.store.ts'

const REFERENCE_MARK = Buffer.from('"$blob":"')

/** Resolves when so many bytes of memory may be taken. */
export type Reserve = (bytes: number) => Promise<void>

/** The bytes themselves, and the answer that is made of them. */
const COPIES = 2

/**
 * The bytes of a stored content, with large values put in where references stand for them. What is in the blob store is
 * read after `reserve` has let it: a file of 100 KB can stand for 100 MB.
 */
export async function readStoredJson(
  blobs: BlobStore,
  json: StoredJson,
  reserve?: Reserve,
): Promise<Uint8Array> {
  if ('digest' in json) await reserve?.(COPIES * ((await blobs.size(json.digest)) ?? 0))
  const bytes = 'bytes' in json ? json.bytes : await getBlob(blobs, json.digest)
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(REFERENCE_MARK)) {
    await reserve?.(COPIES * bytes.length)
    return bytes
  }
  const pieces = cutReferences(new TextDecoder().decode(bytes))
  await reserve?.(bytesToRead(pieces))
  return createComposer(blobs)(pieces)
}

/** How much memory it takes to read a content, in bytes. */
export const bytesToRead = (json: LiveJson): number =>
  COPIES * json.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.bytes), 0)

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
