import { randomUUID } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CommandContext } from '../command-context.ts'
import { UsageFailure } from '../failure.ts'

/** Writes a file completely or not at all: an existing one stays until the new one is on the disk. */
export async function writeFileAtomically(
  path: string,
  content: Iterable<Uint8Array> | string,
): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}.part`)
  try {
    const file = await open(unfinished, 'wx')
    try {
      for (const piece of typeof content === 'string' ? [content] : content) await file.writeFile(piece)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** Where a command writes a file: `target` is a file, a folder, or absent for the current folder. */
export async function findTarget(target: string | undefined, fileName: string): Promise<string> {
  if (target === undefined) return fileName
  const facts = await stat(target).catch(() => undefined)
  return facts?.isDirectory() || /[\\/]$/.test(target) ? join(target, fileName) : target
}

/** The name of stdout where a file is asked for. */
export const STDOUT = '-'

/** Writes bytes to stdout, at the speed at which they are read. Not to a terminal, which they could steer. */
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
