import { createHash } from 'node:crypto'
import type { Note } from '@meadow/grasshopper'
import { type Catalogue, MAX_INLINE_BYTES, type NewContent } from '../../catalogue/catalogue.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import { StorageError } from './import-error.ts'
import type { PreparedFile } from './prepare-file.ts'

/** A file whose bytes are kept. */
export interface KeptFile extends Omit<PreparedFile, 'document'> {
  document: { content: NewContent; notes: readonly Note[] } | undefined
}

/**
 * Keeps the bytes of a file, and those of its content where that is too large for the database. They are noted first,
 * so that what an import leaves that is killed is removed some time later. Throws a {@link StorageError} when they
 * cannot be written.
 */
export async function keepFile(
  { blobs, catalogue }: { blobs: BlobStore; catalogue: Pick<Catalogue, 'discardBlobsUnlessUsed'> },
  { document, ...file }: PreparedFile,
): Promise<KeptFile> {
  if (!document) return { ...file, document }
  const { original, content, notes } = document
  const isLarge = content.length > MAX_INLINE_BYTES
  const digests = isLarge ? [file.source.blob, digestOf(content)] : [file.source.blob]
  await catalogue.discardBlobsUnlessUsed(digests)
  try {
    const [kept] = await Promise.all([isLarge && blobs.put(content), blobs.put(original)])
    const stored: NewContent = kept ? { kind: 'blob', ...kept } : { kind: 'inline', bytes: content }
    return { ...file, document: { content: stored, notes } }
  } catch (error) {
    throw new StorageError(reasonOf(error), { cause: error })
  }
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
