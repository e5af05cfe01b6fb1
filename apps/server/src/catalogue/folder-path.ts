import type { Write } from '../platform/database/database.ts'
import type { FolderKey, TeamKey } from '../platform/database/tables.ts'
import { FilingError } from './team-change.ts'

/**
 * The keys from the root to the folder, each followed by a slash. Throws a {@link FilingError} when the team has no
 * such folder, or has it in the bin: it may have gone there since it was looked up.
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
