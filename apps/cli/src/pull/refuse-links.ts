import { lstat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { CommandFailure } from '@meadow/command'

/**
 * Fails when a part of the path below `folder` is a symbolic link, through which a pull would change files elsewhere: a
 * repository may contain links that its reader did not make. The folder itself may be a link.
 */
export async function refuseLinks(folder: string, path: string): Promise<void> {
  let part = folder
  for (const name of relative(folder, path).split(sep).filter(Boolean)) {
    part = join(part, name)
    const facts = await lstat(part).catch(() => undefined)
    if (!facts) return
    if (facts.isSymbolicLink())
      throw new CommandFailure(`"${part}" is a link, through which a pull does not write: remove it.`)
  }
}
