import type { FolderId } from '@meadow/contract'
import type { Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { storedOrder } from '../platform/database/name-order.ts'
import { readName } from '../platform/database/names.ts'
import type { FolderKey, TeamKey } from '../platform/database/tables.ts'
import { createPublicId, isPublicId } from '../platform/public-ids.ts'

export interface FolderRecord {
  key: FolderKey
  id: FolderId
  name: string
}

/** The columns of a `FolderRecord`. */
export const FOLDER_COLUMNS = ['folder.id as key', 'folder.public_id as id', 'folder.name'] as const

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

/** The folders with these ids. Throws a {@link FilingError} when one is not the team's, or is in the bin, or there are no ids. */
export async function getFolders(
  write: Write,
  team: TeamKey,
  ids: readonly FolderId[],
): Promise<(FolderRecord & { parent: FolderKey | null })[]> {
  const unique = [...new Set(ids)]
  const folders =
    unique.length > 0 && unique.every((id) => isPublicId('fld', id))
      ? await write
          .selectFrom('folder')
          .where('public_id', 'in', unique)
          .where('team_id', '=', team)
          .where('bin_id', 'is', null)
          .select([...FOLDER_COLUMNS, 'parent_id as parent'])
          .execute()
      : []
  if (folders.length === 0 || folders.length < unique.length)
    throw new FilingError('gone', 'The team has no such folder.')
  return folders
}

/** The parent of a new folder; undefined for the team's root. */
type Parent = { key: FolderKey; path: string } | undefined

/** Inserts a folder without checks of its depth. */
export async function insertFolder(
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
      name_order: storedOrder(name),
      // The key is part of the path, and is known only after the insert.
      path: '',
      created_at: timeOf(write),
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
