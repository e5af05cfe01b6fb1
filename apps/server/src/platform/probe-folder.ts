import { open } from 'node:fs/promises'
import { join } from 'node:path'

/** What is written is larger than the space that a nearly full disk has left. */
const PROBE = Buffer.alloc(256 * 1024, 1)

/** One file for all processes that share a folder; its content does not matter. */
export const PROBE_NAME = '.write-probe'

/**
 * Resolves when files can be written durably in the folder; otherwise rejects with the system's error. The file is
 * truncated before and after, so that the disk has to have room for it each time.
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
