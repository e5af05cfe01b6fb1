import type { Write } from '../platform/database/database.ts'
import { readName } from '../platform/database/names.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { getFolderPath } from '../team-writes/folder-path.ts'
import type { IndexChanges } from '../team-writes/index-changes.ts'
import { createFolder } from './create-folder.ts'
import { moveFolder, refuseTooDeep } from './move-folder.ts'
import { FOLDER_COLUMNS } from './selections.ts'
import type { FolderChanges } from './team-change.ts'

export function createFolderChanges(write: Write, team: TeamKey, index: IndexChanges): FolderChanges {
  return {
    async ensureFolder(parent, name) {
      const known = await write
        .selectFrom('folder')
        .where('parent_id', '=', parent)
        .where('team_id', '=', team)
        .where('name', '=', name)
        .where('bin_id', 'is', null)
        .orderBy('id')
        .select(FOLDER_COLUMNS)
        .executeTakeFirst()
      if (known) return { ...known, isNew: false }
      const path = await getFolderPath(write, team, parent)
      return { ...(await createFolder(write, team, { key: parent, path }, name)), isNew: true }
    },
    async createFolder(parent, name) {
      const path = await getFolderPath(write, team, parent)
      refuseTooDeep(path)
      return createFolder(write, team, { key: parent, path }, name)
    },
    async renameFolder(folder, name) {
      await getFolderPath(write, team, folder)
      await write
        .updateTable('folder')
        .set({ name: readName(name) })
        .where('id', '=', folder)
        .execute()
    },
    moveFolder: (folder, parent) => moveFolder(write, team, folder, parent, index),
  }
}
