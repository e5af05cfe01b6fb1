import type { Write } from '../platform/database/database.ts'
import { foldName } from '../platform/database/fold-name.ts'
import { readName } from '../platform/database/names.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { getFolderPath, readFolderPath } from '../team-writes/folder-path.ts'
import type { IndexChanges } from '../team-writes/index-changes.ts'
import { getIndexed } from '../team-writes/indexed-document.ts'
import type { FilingChanges } from './team-change.ts'

export function createFilingChanges(write: Write, team: TeamKey, index: IndexChanges): FilingChanges {
  return {
    async renameDocument(document, name) {
      const before = await getIndexed(write, team, document)
      const nameFolded = foldName(name)
      await write
        .updateTable('document')
        .set({ name: readName(name), name_folded: nameFolded })
        .where('id', '=', document)
        .execute()
      index.replace(before, { ...before, nameFolded })
    },
    async moveDocument(document, folder) {
      const before = await getIndexed(write, team, document)
      const folders = readFolderPath(await getFolderPath(write, team, folder))
      await write.updateTable('document').set({ folder_id: folder }).where('id', '=', document).execute()
      index.replace(before, { ...before, folders })
    },
    async setVisibility(document, visibility) {
      await getIndexed(write, team, document)
      await write.updateTable('document').set({ visibility }).where('id', '=', document).execute()
    },
  }
}
