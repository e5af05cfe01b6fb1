import { readFileSync, rmSync } from 'node:fs'
import { writeFile } from '@meadow/command/files'
import {
  type MergeConflict,
  mergeArchives,
  openVersion,
  type Side,
  type Version,
} from '@meadow/grasshopper/merge'

/** The files of a merge, as git names them. */
export interface MergedFiles {
  /** The common ancestor; empty if there is none. */
  base: string
  /** Our file, which the result replaces. */
  ours: string
  theirs: string
  /** The file in the working tree, for messages and the list of conflicts. */
  path: string
}

/** Returns the path of the side file that lists conflicts. */
export const conflictsFileOf = (path: string): string => `${path}.conflicts.txt`

/**
 * Runs the merge driver: replaces our file by the merged file and returns 0. If there are conflicts, it leaves our file
 * as it is, lists the conflicts beside the file and returns 1, so that git reports a conflict.
 */
export async function mergeFiles(
  { base, ours, theirs, path }: MergedFiles,
  say: (text: string) => void,
): Promise<number> {
  const [before, our, their] = [base, ours, theirs].map((file) => readFileSync(file)) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  const { bytes, conflicts } = await mergeVersions(before, our, their)
  if (conflicts.length === 0) {
    await writeFile(ours, [bytes])
    rmSync(conflictsFileOf(path), { force: true })
    return 0
  }
  for (const { where, what } of conflicts) say(`${path}: ${where}: ${what}`)
  await writeFile(conflictsFileOf(path), describeConflicts(path, conflicts))
  say(
    `${path}: ${conflicts.length} conflicts, listed in ${conflictsFileOf(path)}. The file is ours, without their changes.`,
  )
  say(
    `"meadow git resolve --ours ${path}" merges everything else and keeps ours for these, --theirs takes theirs.`,
  )
  return 1
}

/** Merges the contents of three files. An empty base means that there is no common ancestor. */
export async function mergeVersions(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
  preferred: Side = 'ours',
): Promise<{ bytes: Uint8Array; conflicts: MergeConflict[] }> {
  const our = open(ours, 'our side')
  const their = open(theirs, 'their side')
  const name = our.archive.root.name
  const before =
    base.length === 0
      ? { root: { name, index: -1, items: [], chunks: [] } }
      : open(base, 'the common ancestor').archive
  const { archive, conflicts } = mergeArchives(before, our.archive, their.archive, preferred)
  const fault = name === 'Root' ? await findFault(our, their, archive) : undefined
  if (fault !== undefined) conflicts.push({ where: 'The merged definition', what: fault })
  return { bytes: our.write(archive), conflicts }
}

function open(bytes: Uint8Array, side: string): Version {
  try {
    return openVersion(bytes)
  } catch (error) {
    throw new Error(`${side} cannot be read, so nothing was merged: ${(error as Error).message}`)
  }
}

/**
 * Resolves with the reason why the merged definition is invalid although both sides are valid, for example because
 * wires of both close a cycle.
 */
async function findFault(
  our: Version,
  their: Version,
  archive: Version['archive'],
): Promise<string | undefined> {
  const { readDefinition, writeArchive } = await import('@meadow/grasshopper')
  const faultOf = (one: Version['archive']) => {
    try {
      readDefinition(writeArchive(one, { form: 'gh' }))
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
  const fault = faultOf(archive)
  return fault === undefined || faultOf(our.archive) !== undefined || faultOf(their.archive) !== undefined
    ? undefined
    : fault
}

const describeConflicts = (path: string, conflicts: readonly MergeConflict[]): string =>
  [
    `Conflicts of ${path}`,
    '',
    ...conflicts.map(({ where, what }) => `${where}\n  ${what}`),
    '',
    'The file in the working tree is ours, without any of their changes. To merge everything else:',
    `  meadow git resolve --ours "${path}"      keeps ours where both changed the same`,
    `  meadow git resolve --theirs "${path}"    takes theirs there`,
    'Or open the file in Grasshopper, make the changes, and save it. Then: git add, and delete this list.',
    '',
  ].join('\n')
