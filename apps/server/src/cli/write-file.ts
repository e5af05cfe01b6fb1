import { randomUUID } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { findCode } from '../platform/system-errors.ts'
import { CommandFailure } from './failure.ts'
import { printable } from './printable.ts'

/** Writes all of a file, piece by piece. */
export type WriteContent = (write: (piece: Uint8Array) => Promise<void>) => Promise<void>

/**
 * Writes a file, which is at its place whole or not at all: what was there before stays until then. A link is
 * followed; what is no regular file, such as a pipe, is written into. Fails with a sentence for a folder.
 */
export async function writeFile(given: string, content: WriteContent): Promise<void> {
  const path = await realpath(given).catch(() => resolve(given))
  const facts = await unlessMissing(stat(path))
  if (facts?.isDirectory()) {
    throw new CommandFailure(
      `"${printable(given)}" is a folder: name a file, such as "${join(given, 'model.3dm')}".`,
    )
  }
  if (facts && !facts.isFile()) return writeInto(await open(path, 'w'), content)
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}`)
  try {
    await writeInto(await open(unfinished, 'wx'), content, (file) => file.datasync())
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
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
