import { randomUUID } from 'node:crypto'
import { type FileHandle, lstat, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { findCode } from '../../platform/system-errors.ts'
import { CommandFailure } from '../failure.ts'
import { printable } from './format.ts'

/** Writes the content of a file chunk by chunk. */
export type WriteContent = (write: (piece: Uint8Array) => Promise<void>) => Promise<void>

/**
 * Writes a file completely or not at all: an existing file stays until the new one is complete. Links are followed; a
 * special file, such as a pipe, is written to directly. Fails with a sentence for a folder.
 */
export async function writeFile(target: string, content: WriteContent): Promise<void> {
  const facts = await unlessMissing(stat(target))
  if (facts?.isDirectory()) {
    throw new CommandFailure(
      `"${printable(target)}" is a folder: name a file, such as "${join(target, 'model.3dm')}".`,
    )
  }
  const path = await (facts ? unlessMissing(realpath(target)) : followLink(resolve(target)))
  // There is no path for an open file that was unlinked, which only a link in `/proc` leads to.
  if (path === undefined || (facts && !facts.isFile())) return writeInto(await open(target, 'w'), content)
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}`)
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
  content: WriteContent,
  finish: (file: FileHandle) => Promise<void> = async () => {},
): Promise<void> {
  try {
    await content(async (piece) => {
      await file.writeFile(piece)
    })
    await finish(file)
  } finally {
    await file.close()
  }
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (findCode(error) === 'ENOENT') return undefined
    throw error
  }
}
