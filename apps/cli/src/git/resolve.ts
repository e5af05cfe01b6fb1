import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { CommandFailure } from '@meadow/command'
import { writeFile } from '@meadow/command/files'
import type { MergeConflict, Side } from '@meadow/grasshopper/merge'
import { conflictsFileOf, mergeVersions } from './merge-files.ts'

const run = promisify(execFile)
const MAX_BLOB = 512 * 1024 * 1024

/** Merges a file that git left in conflict, and takes one side where both changed the same. Returns those conflicts. */
export async function resolveConflict(path: string, side: Side): Promise<MergeConflict[]> {
  const [base, ours, theirs] = await Promise.all([1, 2, 3].map((stage) => readStage(path, stage)))
  if (!ours || !theirs)
    throw new CommandFailure(`"${path}" is in no conflict of a merge: git has not both sides of it.`)
  const { bytes, conflicts } = await mergeVersions(base ?? new Uint8Array(), ours, theirs, side)
  await writeFile(path, [bytes])
  await rm(conflictsFileOf(path), { force: true })
  return conflicts
}

/** Reads a side of the conflict from git's index; undefined if there is no such side. */
async function readStage(path: string, stage: number): Promise<Uint8Array | undefined> {
  const cwd = dirname(resolve(path))
  try {
    const { stdout } = await run('git', ['cat-file', 'blob', `:${stage}:./${basename(path)}`], {
      ...{ cwd, encoding: 'buffer', maxBuffer: MAX_BLOB },
    })
    return stdout
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new CommandFailure('git is not installed, or the folder of the file does not exist.')
    return undefined
  }
}
