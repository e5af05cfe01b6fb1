import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The databases of a few tests at once, with room to spare. */
const NEEDED_BYTES = 2 ** 30

const root = await findRoot()

/**
 * A new folder for data that is not needed after the test: in memory, where there is room. SQLite waits for the disk at
 * each commit, and a database of PostgreSQL is a thousand files: to make and remove those takes a third of a second of
 * system time on a disk (ext4), and a hundredth of one here.
 */
export const createQuickFolder = (prefix: string): Promise<string> => mkdtemp(join(root, prefix))

/**
 * Removes the folder of servers that may have been killed: their solves notice that a little later, and add files until
 * then.
 */
export const removeQuickFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10 })

async function findRoot(): Promise<string> {
  const inMemory = '/dev/shm'
  const facts = await statfs(inMemory).catch(() => undefined)
  const free = facts ? Math.min(facts.bavail * facts.bsize, process.availableMemory()) : 0
  return free > NEEDED_BYTES ? inMemory : tmpdir()
}
