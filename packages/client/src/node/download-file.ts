import { createHash, type Hash as NodeHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkExport, type DownloadOptions, type ExportRequest } from '../api/download.ts'
import { FileChanged } from '../api/errors.ts'
import type { Export } from '../api/generated/types.ts'
import type { Meadow } from '../api/meadow.ts'
import type { Hash } from '../api/sha256.ts'

export type DownloadFileOptions = Omit<DownloadOptions, 'hash' | 'receivedBytes'>

export interface DownloadedFile {
  path: string
  export: Export
  /** What was here from an earlier download that was interrupted. */
  resumedBytes: number
}

/** How often a file is begun anew, because it changed while it was downloaded or what was here of it was not of it. */
const MAX_STARTS = 3

/**
 * Downloads an export to `target`: the path of the file, or a folder, in which it has the name of the export. Until it
 * is complete and its digest right, it is a file beside with the ending `.part`, with which the next download of the
 * same file goes on, also that of another process; then it replaces `target` at once.
 */
export async function downloadFile(
  meadow: Meadow,
  request: ExportRequest,
  target: string,
  options: DownloadFileOptions = {},
): Promise<DownloadedFile> {
  for (let starts = 1; ; starts++) {
    const { signal, headers } = options
    const { documentId, ...parameters } = request
    const file = checkExport(
      options.export ?? (await meadow.requestExport(documentId, { ...parameters, signal, headers })),
    )
    const path = (await isFolder(target)) ? join(target, toFileName(file.fileName, request.format)) : target
    const partial = `${path}.${file.sha256.slice(0, 16)}.part`
    try {
      const resumedBytes = await fillPartial(meadow, request, partial, { ...options, export: file })
      await rename(partial, path)
      return { path, export: file, resumedBytes }
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error
      await rm(partial, { force: true })
      if (starts === MAX_STARTS) throw error
    }
  }
}

/** Downloads what the file lacks, and makes sure that it is on the disk. Returns what was there already. */
async function fillPartial(
  meadow: Meadow,
  request: ExportRequest,
  path: string,
  options: DownloadOptions & { export: Export },
): Promise<number> {
  const handle = await open(path, APPEND, 0o600)
  try {
    const { hash, bytes } = await readPartial(handle, path, options.export.size)
    const receivedBytes = bytes
    const { stream } = await meadow.download(request, { ...options, receivedBytes, hash: toHash(hash) })
    for await (const chunk of stream) await handle.writeFile(chunk)
    await handle.sync()
    return receivedBytes
  } finally {
    await handle.close()
  }
}

/** Not through a link that someone else may have made in a folder of several. Windows has no such flag. */
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)

/** The name of an export as that of a file in a folder, whatever the service says: with the ending of its format. */
function toFileName(name: string, format: string): string {
  const plain = name.replace(/[<>:"/\\|?*\p{Cc}]/gu, '_').replace(/^\.+/, '_')
  return plain.endsWith(format) && plain !== format ? plain : `${plain || '_'}${format}`
}

/** The digest of what is there. More than the whole file is none of it. */
async function readPartial(handle: FileHandle, path: string, size: number) {
  const { size: there } = await handle.stat()
  if (there > size) await handle.truncate(0)
  const bytes = there > size ? 0 : there
  const hash = createHash('sha256')
  if (bytes > 0) for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk)
  return { hash, bytes }
}

const toHash = (hash: NodeHash): Hash => ({
  update: (bytes) => void hash.update(bytes),
  digest: () => hash.digest('hex'),
})

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false
