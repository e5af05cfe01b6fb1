import { createHash, type Hash as NodeHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { checkExport, type DownloadOptions, type ExportRequest } from '../api/download.ts'
import { FileChanged } from '../api/errors.ts'
import type { Export } from '../api/generated/types.ts'
import type { Meadow } from '../api/meadow.ts'
import type { Hash } from '../api/sha256.ts'

export type DownloadFileOptions = Omit<DownloadOptions, 'hash' | 'receivedBytes'>

export interface DownloadedFile {
  path: string
  export: Export
  /** The number of bytes that an earlier, interrupted download had left. */
  resumedBytes: number
}

/**
 * The maximum number of times that a file is begun from the start, because it changed during the download or because
 * the bytes of an earlier download were not from it.
 */
const MAX_STARTS = 3

/**
 * Downloads an export to `target`: the path of the file, or a folder, in which it has the name of the export. Until it
 * is complete and its digest right, it is in a file beside it with the ending `.part`, from which the next download of
 * the same file continues, even in another process; then it replaces `target` at once. A link is kept, and the file
 * that it leads to is replaced. A `target` that is not a regular file, such as `/dev/null` or a named pipe, is written
 * into.
 */
export async function downloadFile(
  meadow: Meadow,
  request: ExportRequest,
  target: string,
  { export: given, ...options }: DownloadFileOptions = {},
): Promise<DownloadedFile> {
  for (let starts = 1; ; starts++) {
    const { signal, headers } = options
    const { documentId, ...parameters } = request
    const known = starts === 1 ? given : undefined
    const file = checkExport(
      known ?? (await meadow.requestExport(documentId, { ...parameters, signal, headers })),
    )
    const facts = await stat(target).catch(() => undefined)
    if (facts && !facts.isFile() && !facts.isDirectory())
      return await downloadInto(meadow, request, target, { ...options, export: file })
    const path = facts?.isDirectory() ? join(target, toFileName(file.fileName, request.format)) : target
    const partial = `${path}.${file.sha256.slice(0, 16)}.part`
    try {
      const { resumedBytes, inode } = await fillPartial(meadow, request, partial, {
        ...options,
        export: file,
      })
      await publish(partial, await realpath(path).catch(() => path), inode)
      return { path, export: file, resumedBytes }
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error
      await rm(partial, { force: true })
      if (starts === MAX_STARTS) throw error
    }
  }
}

/** Writes into a device or a pipe, which cannot be replaced, and in which nothing can be taken back. */
async function downloadInto(
  meadow: Meadow,
  request: ExportRequest,
  path: string,
  options: DownloadOptions & { export: Export },
): Promise<DownloadedFile> {
  const { stream } = await meadow.download(request, options)
  const handle = await open(path, 'w')
  try {
    for await (const chunk of stream) await handle.writeFile(chunk)
  } finally {
    await handle.close()
  }
  return { path, export: options.export, resumedBytes: 0 }
}

/** Downloads the missing part of the file, and makes sure that it is on the disk. */
async function fillPartial(
  meadow: Meadow,
  request: ExportRequest,
  path: string,
  options: DownloadOptions & { export: Export },
): Promise<{ resumedBytes: number; inode: bigint }> {
  // The mode is that of any new file, and nothing is appended: when two downloads of the same file run at once, both
  // write the same bytes to the same places.
  const handle = await open(path, PARTIAL)
  try {
    const { size } = options.export
    const { hash, bytes: receivedBytes } = await readPartial(handle, size)
    const { stream } = await meadow.download(request, { ...options, receivedBytes, hash: toHash(hash) })
    let position = receivedBytes
    for await (const chunk of stream) {
      for (let written = 0; written < chunk.length; ) {
        const { bytesWritten } = await handle.write(chunk, written, chunk.length - written, position)
        written += bytesWritten
        position += bytesWritten
      }
    }
    await handle.truncate(size)
    await handle.sync()
    return { resumedBytes: receivedBytes, inode: (await handle.stat({ bigint: true })).ino }
  } finally {
    await handle.close()
  }
}

/**
 * Opens the file but follows no link, which somebody else may have made in a shared folder. Windows has no such flag.
 */
const PARTIAL = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/**
 * Returns a name for an export that is safe in any folder, whatever the service sends, and has the ending of its
 * format.
 */
function toFileName(name: string, format: string): string {
  const plain = name.replace(/[<>:"/\\|?*\p{Cc}]/gu, '_').replace(/^\.+/, '_')
  return plain.endsWith(format) && plain !== format ? plain : `${plain || '_'}${format}`
}

/** Resolves with the digest of the bytes that exist already. A file that is too large counts as empty. */
async function readPartial(handle: FileHandle, size: number) {
  const { size: there } = await handle.stat()
  const bytes = there > size ? 0 : there
  const hash = createHash('sha256')
  if (bytes > 0)
    for await (const chunk of handle.createReadStream({ start: 0, end: bytes - 1, autoClose: false }))
      hash.update(chunk)
  return { hash, bytes }
}

/** Puts the file into its place, unless another download of the same file has done so. */
async function publish(partial: string, path: string, inode: bigint): Promise<void> {
  const isOurs = async (place: string) =>
    (await stat(place, { bigint: true }).catch(() => undefined))?.ino === inode
  if (await isOurs(partial))
    try {
      return await rename(partial, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  if (!(await isOurs(path)))
    throw new FileChanged(`${basename(path)} was removed while it was downloaded: download it again.`)
}

const toHash = (hash: NodeHash): Hash => ({
  update: (bytes) => void hash.update(bytes),
  digest: () => hash.digest('hex'),
})
