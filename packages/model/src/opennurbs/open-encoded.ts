import type { EncodedGeometry } from '@meadow/contract'
import { ChunkReader } from './chunk-reader.ts'

/** Invalid base64 gives no bytes, in which nothing can be read. */
export function openEncoded({ data, archive3dm }: EncodedGeometry): ChunkReader {
  const bytes = decodeBase64(data)
  return new ChunkReader(bytes, 0, bytes.length, archive3dm >= 50 ? 8 : 4)
}

/** Node decodes much faster than browsers, which have no `Buffer`. */
function decodeBase64(data: string): Uint8Array {
  if (typeof Buffer !== 'undefined') return Buffer.from(data, 'base64')
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
