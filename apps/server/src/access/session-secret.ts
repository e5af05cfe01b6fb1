import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OWNER_ONLY } from '../platform/data-folder.ts'
import { findCode } from '../platform/system-errors.ts'

/** In the data folder, readable by its owner alone. */
const FILE = 'session-secret'

/**
 * What session cookies are signed with: the configured one, or else one that is made when it is first needed. Processes
 * that start at once get the same.
 */
export async function openSessionSecret(dataDir: string, configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured
  const path = join(dataDir, FILE)
  return (await findSecret(path)) ?? (await makeSecret(dataDir, path))
}

/** Whole or not there at all: it is given its name only once it is written. */
async function makeSecret(dataDir: string, path: string): Promise<string> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY.folder })
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: OWNER_ONLY.file, flush: true })
  try {
    await link(draft, path)
  } catch (error) {
    // Another process was faster.
    if (findCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return readFile(path, 'utf8')
}

async function findSecret(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (findCode(error) === 'ENOENT') return undefined
    throw error
  }
}
