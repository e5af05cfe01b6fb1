import { randomUUID } from 'node:crypto'
import { type FileHandle, lstat, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { findCode } from '../../platform/system-errors.ts'
import { CommandFailure } from '../failure.ts'
import { printable } from './format.ts'

/** Writes all of a file, piece by piece. */
export type WriteContent = (write: (piece: Uint8Array) => Promise<void>) => Promise<void>

/**
 * Writes a file, which is at its place whole or not at all: what was there before stays until then. A link is
 * followed; what is no regular file, such as a pipe, is written into. Fails with a sentence for a folder.
 */
export async function writeFile(given: string, content: WriteContent): Promise<void> {
  const facts = await unlessMissing(stat(given))
  if (facts?.isDirectory()) {
    throw new CommandFailure(
      `"${printable(given)}" is a folder: name a file, such as "${join(given, 'model.3dm')}".`,
    )
  }
  const path = await (facts ? unlessMissing(realpath(given)) : followLink(resolve(given)))
  // Without a path: an open file whose name was removed, which only a link of the system leads to.
  if (path === undefined || (facts && !facts.isFile())) return writeInto(await open(given, 'w'), content)
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}`)
  try {
    await writeInto(await open(unfinished, 'wx'), content, (file) => file.datasync())
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** Where a file is to be made: at `path`, or where the links there lead. */
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
