import { open } from 'node:fs/promises'
import { join } from 'node:path'

/** More than a disk that is as good as full has left. */
const PROBE = Buffer.alloc(256 * 1024, 1)

/** One for all processes that share a folder: what they write into it together matters to nobody. */
export const PROBE_NAME = '.write-probe'

/**
 * Resolves when files can be written in the folder and reach the disk; else fails with what the system says. The
 * probe is emptied before and after, so that the disk has to find room for it each time.
 */
export async function probeFolder(folder: string): Promise<void> {
  await using file = await open(join(folder, PROBE_NAME), 'w', 0o600)
  try {
    await file.writeFile(PROBE)
    await file.datasync()
  } finally {
    await file.truncate(0).catch(() => {})
  }
}
