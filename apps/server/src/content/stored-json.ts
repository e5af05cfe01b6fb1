import type { GraphContent } from '@meadow/contract'
import { cutReferences, type LiveJson, putLargeValues } from '@meadow/document/live'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { MaybePromise } from '../platform/database/database.ts'
import type { NewContent } from '../team/content-blobs.ts'
import type { StoredJson } from './content.store.ts'
import { readContentBlob, readStoredBytes } from './read-graph.ts'

/** Resolves when this many bytes of memory may be taken. */
export type Reserve = (bytes: number) => MaybePromise<void>

/** A part of every reference. It begins with a rare character, so that most bytes are passed over quickly. */
const REFERENCE_MARK = Buffer.from('$blob":"')

/** The bytes themselves, and the response that is made of them. */
const COPIES = 2

/**
 * The bytes of a stored content, with large values in place of their references. Blobs are read only after `reserve` has
 * resolved: 100 KB of content can refer to 100 MB.
 */
export async function readStoredJson(
  blobs: BlobStore,
  json: StoredJson,
  reserve?: Reserve,
): Promise<Uint8Array> {
  if ('digest' in json) await reserve?.(COPIES * ((await blobs.size(json.digest)) ?? 0))
  const bytes = await readStoredBytes(blobs, json)
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(REFERENCE_MARK)) {
    await reserve?.(COPIES * bytes.length)
    return bytes
  }
  const pieces = cutReferences(new TextDecoder().decode(bytes))
  await reserve?.(bytesToRead(pieces))
  return createComposer(blobs)(pieces)
}

/** The memory that it takes to read a content, in bytes. */
export const bytesToRead = (json: LiveJson): number =>
  COPIES * json.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.bytes), 0)

/** Encodes the versions of one content: text that is unchanged since the last call is not encoded again. */
export type Composer = (json: LiveJson) => Promise<Uint8Array>

/** References are replaced by their large values. */
export function createComposer(blobs: BlobStore): Composer {
  let cached = new Map<string, Uint8Array>()
  return async (json) => {
    const encoded = new Map<string, Uint8Array>()
    const parts: Uint8Array[] = []
    for (const piece of json) {
      if (typeof piece !== 'string') parts.push(await readContentBlob(blobs, piece.$blob))
      else {
        const bytes = cached.get(piece) ?? Buffer.from(piece)
        encoded.set(piece, bytes)
        parts.push(bytes)
      }
    }
    cached = encoded
    return Buffer.concat(parts)
  }
}

/** Reads a stored content and puts its large values into the blob store, as in documents that are edited. */
export async function readSmallContent(blobs: BlobStore, json: StoredJson): Promise<GraphContent> {
  return putLargeValuesOf(blobs, JSON.parse(new TextDecoder().decode(await readStoredJson(blobs, json))))
}

/** Puts the large values of a content into the blob store. */
export const putLargeValuesOf = (
  blobs: Pick<BlobStore, 'put'>,
  content: GraphContent,
): Promise<GraphContent> =>
  putLargeValues(content, async (text) => (await blobs.put(Buffer.from(text))).digest)

/** A content that is about to be stored, as `StoredJson`. */
export const toStoredJson = (content: NewContent): StoredJson =>
  content.kind === 'inline' ? { bytes: content.bytes } : { digest: content.digest }

/** The JSON of a live document, with references for large values. */
export const encodeLiveJson = (json: LiveJson): Uint8Array =>
  Buffer.from(json.map((piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece))).join(''))
