import { randomUUID } from 'node:crypto'
import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CommandContext } from '../command-context.ts'
import { CommandFailure, UsageFailure } from '../failure.ts'

/**
 * Writes a file completely or not at all: an existing one stays until the new one is on the disk. A link is kept, and
 * the file that it leads to is replaced. A path that is not a regular file, such as `/dev/null` or a named pipe, is
 * written into.
 */
export async function writeFileAtomically(
  path: string,
  content: Iterable<Uint8Array> | string,
): Promise<void> {
  const pieces = typeof content === 'string' ? [content] : content
  try {
    if (await isWrittenInto(path)) return await writePieces(path, 'w', pieces)
    await replaceFile(await realpath(path).catch(() => path), pieces)
  } catch (error) {
    throw nameTarget(error as NodeJS.ErrnoException, path)
  }
}

/** Whether the path is that of a device, a pipe or a socket: replacing it would destroy it. */
async function isWrittenInto(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined)
  return facts !== undefined && !facts.isFile() && !facts.isDirectory()
}

async function replaceFile(path: string, pieces: Iterable<Uint8Array | string>): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}.part`)
  try {
    await writePieces(unfinished, 'wx', pieces)
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function writePieces(
  path: string,
  flag: 'w' | 'wx',
  pieces: Iterable<Uint8Array | string>,
): Promise<void> {
  const file = await open(path, flag)
  try {
    for (const piece of pieces) await file.writeFile(piece)
    if (flag === 'wx') await file.datasync()
  } finally {
    await file.close()
  }
}

/** Makes an error name the file that the user gave, not the unfinished one beside it. */
function nameTarget(error: NodeJS.ErrnoException, path: string): NodeJS.ErrnoException {
  if (error.path !== undefined) error.path = path
  return error
}

/**
 * Returns the path at which a command writes a file: `target` is a file, a folder, or absent for the current folder. A
 * folder with a slash at its end is created if it does not exist.
 */
export async function findTarget(target: string | undefined, fileName: string): Promise<string> {
  if (target === undefined) return fileName
  if (target === '') throw new UsageFailure('The name of the file is empty.')
  if (/[\\/]$/.test(target)) await mkdir(target, { recursive: true })
  if (await isFolder(target)) return join(target, fileName)
  const folder = dirname(target)
  if (!(await isFolder(folder)))
    throw new CommandFailure(`"${target}" cannot be written: there is no folder "${folder}".`)
  return target
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false

/** The name that stands for stdout in place of a file. */
export const STDOUT = '-'

/** Writes bytes to stdout, at the speed at which they are read. It refuses a terminal, which they could control. */
export async function writeToStdout(
  { stdout }: Pick<CommandContext, 'stdout'>,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  if (stdout.isTTY)
    throw new UsageFailure(
      'The file is not shown on a terminal: name a file with -o, or send it to a program.',
    )
  for await (const piece of pieces) {
    // A reader that went away is not an error.
    if (!stdout.writable) return
    await new Promise<void>((resolve) => stdout.write(piece, () => resolve()))
  }
}
