import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { crc32, zstdCompress, zstdDecompress } from 'node:zlib'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { isDamage } from '../../platform/blobs/copy-blobs.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Lines of text in a blob of the backup, compressed with zstd. */
export interface LineChunk {
  digest: string
  /** The stored size in bytes. */
  bytes: number
  lines: number
}

/** How long a chunk is on average, and at most unless one line is longer, in bytes of text. */
const AVERAGE_BYTES = 512 * 1024
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Stores lines in chunks. A chunk ends after a line whose checksum says so: where lines were added, changed or removed
 * since the last backup, only the chunks around them are new, and all others are stored already.
 */
export async function writeLines(
  store: Pick<BlobStore, 'put'>,
  portions: AsyncIterable<readonly string[]>,
  averageBytes = AVERAGE_BYTES,
): Promise<LineChunk[]> {
  const chunks: LineChunk[] = []
  let lines: string[] = []
  let length = 0
  const finish = async () => {
    if (lines.length === 0) return
    const { digest, size } = await store.put(await compress(`${lines.join('\n')}\n`))
    chunks.push({ digest, bytes: size, lines: lines.length })
    lines = []
    length = 0
  }
  for await (const portion of portions) {
    for (const line of portion) {
      lines.push(line)
      length += line.length + 1
      if (length >= MAX_BYTES || isLast(line, averageBytes)) await finish()
    }
  }
  await finish()
  return chunks
}

/** Whether a line ends a chunk: often enough that chunks have the average size. */
const isLast = (line: string, averageBytes: number): boolean =>
  crc32(line) % Math.max(1, Math.floor(averageBytes / (line.length + 1))) === 0

/** A part of a backup is missing, or is not what was written. */
export class DamagedBackupError extends Error {
  override readonly name = 'DamagedBackupError'
}

/** The lines of a chunk. Throws a {@link DamagedBackupError} unless they are as they were written. */
export async function readLines(
  store: Pick<BlobStore, 'read'>,
  { digest, lines }: LineChunk,
): Promise<string[]> {
  const text = (await decompress(await readPart(store, digest))).toString()
  const read = text.slice(0, -1).split('\n')
  if (read.length !== lines)
    throw new DamagedBackupError(
      `The part ${digest} of the backup has ${read.length} lines in place of ${lines}.`,
    )
  return read
}

/** The bytes of a blob of the backup, which are compared with its digest. */
export async function readPart(store: Pick<BlobStore, 'read'>, digest: string): Promise<Buffer> {
  const bytes = await store.read(digest).catch((error) => {
    if (isDamage(error))
      throw new DamagedBackupError(`The part ${digest} of the backup is damaged.`, { cause: error })
    throw error
  })
  if (!bytes) throw new DamagedBackupError(`The part ${digest} of the backup is missing.`)
  if (createHash('sha256').update(bytes).digest('hex') !== digest)
    throw new DamagedBackupError(
      `The part ${digest} of the backup is damaged: its bytes have another digest.`,
    )
  return bytes
}

/** The lines of these chunks in order, in portions. */
export async function* readChunks(
  store: Pick<BlobStore, 'read'>,
  chunks: readonly LineChunk[],
): AsyncGenerator<string[]> {
  for (const chunk of chunks) yield await readLines(store, chunk)
}
