import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Surroundings } from '@meadow/command'
import { CommandFailure, UsageFailure } from '@meadow/command'
import { writePiece } from '@meadow/command/files'

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

/** Writes bytes to stdout, at the speed at which they are read. It refuses a terminal, which they could control. */
export async function writeToStdout(
  { stdout }: Pick<Surroundings, 'stdout'>,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  if (stdout.isTTY)
    throw new UsageFailure(
      'The file is not shown on a terminal: name a file with -o, or send it to a program.',
    )
  for await (const piece of pieces) {
    if (!stdout.writable) return
    await writePiece(stdout, piece)
  }
}
