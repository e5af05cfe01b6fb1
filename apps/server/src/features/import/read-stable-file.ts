import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { ImportError } from './import-error.ts'

/** What tells whether a file changed. */
export interface FileFacts {
  sizeBytes: number
  /** Whole milliseconds since 1970. */
  mtimeMs: number
  /** When the file was made; not later than it was changed, which copying would otherwise make of it. */
  birthtimeMs: number
}

export type FileBytes = Uint8Array<ArrayBuffer>

/** A definition is a few megabytes at most; this bounds what one file can take of the memory. */
export const MAX_FILE_BYTES = 256 * 2 ** 20

const ATTEMPTS = 3

/** Not to wait for the other end of a pipe. Windows has no such flag, and no such files. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * The bytes of a file as it was at one moment, and what it was like then. A file that is written to meanwhile is read
 * again. Throws a {@link ImportError}, or what the operating system says.
 */
export async function readStableFile(path: string): Promise<{ bytes: FileBytes; facts: FileFacts }> {
  await using file = await open(path, OPEN_FLAGS)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await factsOf(file)
    if (before.sizeBytes > MAX_FILE_BYTES) {
      throw new ImportError(`it is larger than ${MAX_FILE_BYTES / 2 ** 20} MB`)
    }
    const bytes = await readWhole(file, before.sizeBytes)
    const after = await factsOf(file)
    if (
      bytes.length === after.sizeBytes &&
      before.sizeBytes === after.sizeBytes &&
      before.mtimeMs === after.mtimeMs
    ) {
      return { bytes, facts: after }
    }
  }
  throw new ImportError('it was being written to: import again when it is finished')
}

/** What a file is like, without reading it. Throws a {@link ImportError} when it is not a file. */
export function readFacts(stats: {
  isFile(): boolean
  size: number
  mtimeMs: number
  birthtimeMs: number
}): FileFacts {
  if (!stats.isFile()) throw new ImportError('it is not a regular file')
  const mtimeMs = inRange(stats.mtimeMs)
  // 0 where the file system does not know.
  const birthtimeMs = Math.min(inRange(stats.birthtimeMs) || mtimeMs, mtimeMs)
  return { sizeBytes: stats.size, mtimeMs, birthtimeMs }
}

const factsOf = async (file: FileHandle): Promise<FileFacts> => readFacts(await file.stat())

/** The end of the year 9999: what comes later has no ISO timestamp of the usual form. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const inRange = (ms: number): number => Math.min(Math.max(Math.trunc(ms), 0), LAST_MS)

/** At most `size` bytes from the start. */
async function readWhole(file: FileHandle, size: number): Promise<FileBytes> {
  const buffer = Buffer.allocUnsafeSlow(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await file.read(buffer, length, size - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}
