import { execFile } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import { CommandFailure } from '@meadow/command'
import { EXIT_CODES } from '../failure.ts'

const run = promisify(execFile)

/** The size in bytes above which files are not read from git. */
const MAX_BYTES = 512 * 1024 * 1024

/** Whether a text names a commit of the repository that a folder is in. */
export async function isRevision(text: string, folder: string): Promise<boolean> {
  if (text === '' || text.startsWith('-')) return false
  try {
    await run('git', ['rev-parse', '--verify', '--quiet', `${text}^{commit}`], { cwd: folder })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    return false
  }
}

/**
 * Reads a file as it was in a commit. `path` is relative to the root of the repository, or with `./` to the folder, as
 * in git.
 */
export async function readCommitted(revision: string, path: string, folder: string): Promise<Uint8Array> {
  try {
    const { stdout } = await run('git', ['cat-file', 'blob', `${revision}:${path}`], {
      cwd: folder,
      encoding: 'buffer',
      maxBuffer: MAX_BYTES,
    })
    return stdout
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: Buffer }
    if (code === 'ENOENT') throw new CommandFailure('Revisions need git, which is not installed.')
    const said = String(stderr ?? '')
      .split('\n')[0]!
      .replace(/^(fatal|error): /, '')
      .trim()
    throw new CommandFailure(`git has no "${revision}:${path}": ${said || (error as Error).message}.`, {
      exitCode: EXIT_CODES.notFound,
    })
  }
}

/** Reads a file of the working tree as it was in a commit. */
export const readRevisionOf = (file: string, revision: string): Promise<Uint8Array> =>
  readCommitted(revision, `./${basename(file)}`, dirname(file))
