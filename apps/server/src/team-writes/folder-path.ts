import type { Write } from '../platform/database/database.ts'
import type { FolderKey, TeamKey } from '../platform/database/tables.ts'

/** An item cannot be put into the folder that was named. */
export class FilingError extends Error {
  readonly code: 'inside_itself' | 'too_deep' | 'gone'
  constructor(code: FilingError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/**
 * The keys from the root to the folder, each followed by a slash. Throws a {@link FilingError} when the team has no
 * such folder, or has it in the bin, where it may have been put since it was looked up.
 */
export async function getFolderPath(write: Write, team: TeamKey, folder: FolderKey): Promise<string> {
  const found = await write
    .selectFrom('folder')
    .where('id', '=', folder)
    .where('team_id', '=', team)
    .where('bin_id', 'is', null)
    .select('path')
    .executeTakeFirst()
  if (!found) throw new FilingError('gone', `The team ${team} has no folder ${folder}.`)
  return found.path
}

/** The keys of a `folder.path`. */
export const readFolderPath = (path: string): FolderKey[] =>
  path.slice(0, -1).split('/').map(Number) as FolderKey[]

/** The paths of a folder and of all folders below it: from `start`, included, to `end`, excluded. */
export const pathRange = (path: string) => ({ start: path, end: `${path.slice(0, -1)}0` })
