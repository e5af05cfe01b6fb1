import { randomUUID } from 'node:crypto'
import { type FileHandle, lstat, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { OutputStream } from './output.ts'

/** The content of a file: a text, its pieces, or a function that hands over one piece after the other. */
export type Content =
  | string
  | Iterable<Uint8Array>
  | AsyncIterable<Uint8Array>
  | ((write: (piece: Uint8Array) => Promise<void>) => Promise<void>)

/**
 * Writes a file completely or not at all: an existing one stays until the new one is on the disk. A link is kept, and
 * the file that it leads to is replaced. A path that is not a regular file, such as `/dev/null` or a named pipe, is
 * written into.
 */
export async function writeFile(target: string, content: Content): Promise<void> {
  try {
    const facts = await unlessMissing(stat(target))
    const path = await (facts ? unlessMissing(realpath(target)) : followLink(resolve(target)))
    const isReplaced = facts === undefined || facts.isFile() || facts.isDirectory()
    // There is no path for an open file that was unlinked, which only a link in `/proc` leads to.
    if (path === undefined || !isReplaced) await writeInto(await open(target, 'w'), content)
    else await replaceFile(path, content)
  } catch (error) {
    // The error names the file that the user gave, not the unfinished one beside it.
    if (error instanceof Error && 'path' in error) error.path = target
    throw error
  }
}

async function replaceFile(path: string, content: Content): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}.part`)
  try {
    await writeInto(await open(unfinished, 'wx'), content, (file) => file.datasync())
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** Returns where a file is created: at `path`, or where links there lead. */
async function followLink(path: string): Promise<string> {
  const facts = await unlessMissing(lstat(path))
  return facts?.isSymbolicLink() ? followLink(resolve(dirname(path), await readlink(path))) : path
}

async function writeInto(
  file: FileHandle,
  content: Content,
  finish: (file: FileHandle) => Promise<void> = async () => {},
): Promise<void> {
  try {
    if (typeof content === 'function') await content((piece) => file.writeFile(piece))
    else if (typeof content === 'string') await file.writeFile(content)
    else for await (const piece of content) await file.writeFile(piece)
    await finish(file)
  } finally {
    await file.close()
  }
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The name that stands for stdout in place of a file. */
export const STDOUT = '-'

/** Writes a piece at the speed at which it is read. A reader that went away is not an error: the rest is left out. */
export const writePiece = (stream: OutputStream, piece: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    if (stream.writable) stream.write(piece, () => resolve())
    else resolve()
  })
