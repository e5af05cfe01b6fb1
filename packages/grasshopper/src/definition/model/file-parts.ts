import type { Author } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { findChunk } from '../../archive/tree/find.ts'
import { findText } from './text.ts'

/** The author in the chunk Author of a definition, cluster or user object; undefined if all members are empty. */
export function findAuthor(parent: Chunk): Author | undefined {
  const chunk = findChunk(parent, 'Author')
  if (!chunk) return undefined
  const author = {
    name: findText(chunk, 'Name') ?? '',
    company: findText(chunk, 'Company') ?? '',
    email: findText(chunk, 'EMail') ?? '',
    copyright: findText(chunk, 'Copyright') ?? '',
    website: findText(chunk, 'Website') ?? '',
  }
  return Object.values(author).some((text) => text !== '') ? author : undefined
}

/** The file that a cluster is linked to, as a path on the machine that saved it. */
export function findLinkedPath(container: Chunk): string | undefined {
  const file = findChunk(container, 'FileInfo')
  return (file && (findText(file, 'Path') || findText(file, 'FilePath'))) || undefined
}

/** The size of a picture that is returned. The largest real thumbnail has 0.1 MB. */
export const MAX_PICTURE_BYTES = 256 * 1024
/** Width and height in pixels. */
const MAX_SIDE = 4096

const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** The bytes of a PNG file as they are; undefined for other bytes, for an empty and for a very large picture. */
export function findPicture(bytes: Uint8Array | undefined): Uint8Array | undefined {
  if (!bytes || bytes.length > MAX_PICTURE_BYTES) return undefined
  return findPictureSize(bytes) && bytes
}

/** Width and height of a PNG file in pixels, from its first chunk. */
export function findPictureSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  if (bytes.length < PNG_START.length + 8 || PNG_START.compare(bytes, 0, PNG_START.length) !== 0)
    return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const [width, height] = [view.getUint32(PNG_START.length), view.getUint32(PNG_START.length + 4)]
  const isPlain = [width, height].every((side) => side > 0 && side <= MAX_SIDE)
  return isPlain ? { width, height } : undefined
}
