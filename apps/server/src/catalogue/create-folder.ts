import type { Write } from '../platform/database/database.ts'
import { readName } from '../platform/database/names.ts'
import type { FolderKey, TeamKey } from '../platform/database/tables.ts'
import { createPublicId } from '../platform/public-ids.ts'
import type { FolderRecord } from './records.ts'
import { FOLDER_COLUMNS } from './selections.ts'

/** Where a folder is made: inside of another, or, without one, as the team's root. */
type Parent = { key: FolderKey; path: string } | undefined

export async function createFolder(
  write: Write,
  team: TeamKey,
  parent: Parent,
  name: string,
): Promise<FolderRecord> {
  const folder = await write
    .insertInto('folder')
    .values({
      public_id: createPublicId('fld'),
      team_id: team,
      parent_id: parent?.key ?? null,
      name: readName(name),
      // The key is part of the path, and known only now.
      path: '',
      created_at: Date.now(),
    })
    .returning(FOLDER_COLUMNS)
    .executeTakeFirstOrThrow()
  await write
    .updateTable('folder')
    .set({ path: `${parent?.path ?? ''}${folder.key}/` })
    .where('id', '=', folder.key)
    .execute()
  return folder
}
