import type { Write } from '../platform/database/database.ts'
import type { FolderKey, TeamKey } from '../platform/database/tables.ts'
import { createFolder } from './create-folder.ts'
import { FOLDER_COLUMNS } from './selections.ts'
import type { FolderChanges } from './team-change.ts'

export function createFolderChanges(write: Write, team: TeamKey): FolderChanges {
  return {
    async ensureFolder(parent, name) {
      const known = await write
        .selectFrom('folder')
        .where('parent_id', '=', parent)
        .where('team_id', '=', team)
        .where('name', '=', name)
        .orderBy('id')
        .select(FOLDER_COLUMNS)
        .executeTakeFirst()
      if (known) return known
      const path = await getFolderPath(write, team, parent)
      return createFolder(write, team, { key: parent, path }, name)
    },
  }
}

/** The keys from the root to the folder, each followed by a slash. Throws when the team has no such folder. */
export async function getFolderPath(write: Write, team: TeamKey, folder: FolderKey): Promise<string> {
  const found = await write
    .selectFrom('folder')
    .where('id', '=', folder)
    .where('team_id', '=', team)
    .select('path')
    .executeTakeFirst()
  if (!found) throw new Error(`The team ${team} has no folder ${folder}.`)
  return found.path
}
