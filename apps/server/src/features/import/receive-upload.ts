import { refuse } from '../../http/refusal.ts'
import type { BlobStore, StoredBlob } from '../../platform/blobs/blobs.ts'

/** Puts a file into the blob store while it arrives, and refuses it as soon as it is too large. */
export async function receiveUpload(
  blobs: BlobStore,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StoredBlob> {
  async function* limited() {
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxBytes) throw refuse('body_too_large', { sentence: tooLarge(maxBytes) })
      yield chunk
    }
  }
  return blobs.put(limited())
}

const tooLarge = (maxBytes: number) => `A file can have ${maxBytes / 2 ** 20} MB at most.`
