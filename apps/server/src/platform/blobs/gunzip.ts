import { gunzipSync } from 'node:zlib'

/** The bytes that `putCompressed` packed, of which there are `size`. Fails when these are others. */
export function gunzip(packed: Buffer, size: number): Buffer {
  let bytes: Buffer | undefined
  try {
    bytes = gunzipSync(packed, { maxOutputLength: Math.max(size, 1) })
  } catch (cause) {
    throw new Error('A body in the blob store is damaged.', { cause })
  }
  if (bytes.length !== size) throw new Error('A body in the blob store is damaged.')
  return bytes
}
