import type { FolderReference } from '@meadow/contract'
import { sql } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import type { Select, Write } from '../platform/database/database.ts'
import { storedOrder } from '../platform/database/name-order.ts'
import { readName } from '../platform/database/names.ts'
import type { BinKey, FolderKey, Tables, TeamKey } from '../platform/database/tables.ts'
import { isPublicId } from '../platform/public-ids.ts'
import {
  FilingError,
  FOLDER_COLUMNS,
  type FolderRecord,
  getFolderPath,
  insertFolder,
  pathRange,
  readFolderPath,
} from '../team/folders.ts'
import { listIndexedDocuments } from '../team/index-changes.ts'
import type { TeamTransaction, TeamWrite } from '../team/team-transaction.ts'

/** Folders that are not in the bin; of several with one name the oldest comes first. */
const selectFolders = (read: Select) =>
  read.selectFrom('folder').where('bin_id', 'is', null).select(FOLDER_COLUMNS).orderBy('folder.id')

/** `id` is a folder id or `root`. */
export async function findFolder(read: Select, team: TeamKey, id: string): Promise<FolderRecord | undefined> {
  const folders = selectFolders(read).where('team_id', '=', team)
  if (id === 'root') return folders.where('parent_id', 'is', null).executeTakeFirst()
  return isPublicId('fld', id) ? folders.where('public_id', '=', id).executeTakeFirst() : undefined
}

/** The folder of exactly this name directly inside `parent`. */
export const findChildFolder = (
  read: Select,
  parent: FolderKey,
  name: string,
): Promise<FolderRecord | undefined> =>
  selectFolders(read).where('parent_id', '=', parent).where('name', '=', name).executeTakeFirst()

/** A folder below another one. */
export interface FolderBelow {
  key: FolderKey
  parent: FolderKey
  name: string
  /** The item of the bin that it is in; null when it is not in the bin. */
  bin: BinKey | null
}

/** Every folder below `root`, at any depth, also those in the bin; parents and older ones first. */
export async function listFoldersBelow(read: Select, root: FolderKey): Promise<FolderBelow[]> {
  const { path } = await read
    .selectFrom('folder')
    .where('id', '=', root)
    .select('path')
    .executeTakeFirstOrThrow()
  const { start, end } = pathRange(path)
  return (
    read
      .selectFrom('folder')
      .where('path', '>=', start)
      .where('path', '<', end)
      .where('id', '<>', root)
      .select(['id as key', 'parent_id as parent', 'name', 'bin_id as bin'])
      .orderBy('id')
      // All folders except the team's root have a parent.
      .$castTo<FolderBelow>()
      .execute()
  )
}

/**
 * The folders from the root down to this one, itself included; the root has the team's name (contract, part 2).
 * Empty when the team has no such folder, or has it in the bin.
 */
export async function readAncestors(
  read: Pick<ReadonlyKysely<Tables>, 'withRecursive'>,
  { team, teamName }: { team: TeamKey; teamName: string },
  folder: FolderKey,
): Promise<FolderReference[]> {
  const rows = await read
    .withRecursive('ancestors', (db) =>
      db
        .selectFrom('folder')
        .where('id', '=', folder)
        .where('team_id', '=', team)
        .where('bin_id', 'is', null)
        .select(['id', 'parent_id', 'public_id', 'name', sql<number>`0`.as('height')])
        .unionAll(
          db
            .selectFrom('ancestors')
            .innerJoin('folder', 'folder.id', 'ancestors.parent_id')
            .select([
              'folder.id',
              'folder.parent_id',
              'folder.public_id',
              'folder.name',
              sql<number>`ancestors.height + 1`.as('height'),
            ]),
        ),
    )
    .selectFrom('ancestors')
    .orderBy('height', 'desc')
    .select(['public_id as id', 'name', 'parent_id as parent'])
    .execute()
  return rows.map(({ id, name, parent }) => ({ id, name: parent === null ? teamName : name }))
}

/** The folder of exactly this name directly inside `parent`, created when it does not exist. */
export async function ensureFolder(
  { write, team }: TeamWrite,
  parent: FolderKey,
  name: string,
): Promise<FolderRecord & { isNew: boolean }> {
  const known = await selectFolders(write)
    .where('parent_id', '=', parent)
    .where('team_id', '=', team)
    .where('name', '=', name)
    .executeTakeFirst()
  if (known) return { ...known, isNew: false }
  const path = await getFolderPath(write, team, parent)
  return { ...(await insertFolder(write, team, { key: parent, path }, name)), isNew: true }
}

/** A new folder inside `parent`; another one there may have the same name. */
export async function createFolder(
  { write, team }: TeamWrite,
  parent: FolderKey,
  name: string,
): Promise<FolderRecord> {
  const path = await getFolderPath(write, team, parent)
  checkDepth(path)
  return insertFolder(write, team, { key: parent, path }, name)
}

export async function renameFolder(
  { write, team }: TeamWrite,
  folder: FolderKey,
  name: string,
): Promise<void> {
  await getFolderPath(write, team, folder)
  await write
    .updateTable('folder')
    .set({ name: readName(name), name_order: storedOrder(name) })
    .where('id', '=', folder)
    .execute()
}

/** Deletes a folder in which nothing is, or was before it was put into the bin. False when there is something. */
export async function deleteEmptyFolder({ write, team }: TeamWrite, folder: FolderKey): Promise<boolean> {
  const inside = ['document', 'team_file'].map(
    (table) => sql`not exists (select 1 from ${sql.table(table)}
          where folder_id = ${folder} or source_root_id = ${folder})`,
  )
  const { numAffectedRows } = await sql`delete from folder
        where id = ${folder} and team_id = ${team} and bin_id is null and parent_id is not null
          and not exists (select 1 from folder as child where child.parent_id = ${folder})
          and ${sql.join(inside, sql` and `)}`.execute(write)
  return numAffectedRows === 1n
}

/** Throws a {@link FilingError}. */
export async function moveFolder(
  { write, team, index }: TeamTransaction,
  folder: FolderKey,
  parent: FolderKey,
): Promise<void> {
  const path = await getFolderPath(write, team, folder)
  const parentPath = await getFolderPath(write, team, parent)
  if (parentPath.startsWith(path)) {
    throw new FilingError('inside_itself', 'A folder cannot be moved into itself.')
  }
  const before = await listIndexedDocuments(write, team, path, null)
  await rebase(write, folder, path, parent, parentPath)
  const after = await listIndexedDocuments(write, team, `${parentPath}${folder}/`, null)
  const moved = new Map(after.map((document) => [document.id, document]))
  for (const document of before) index.replace(document, moved.get(document.id)!)
}

/** Moves a folder below another one: it and all folders below it, in the bin or not, get new paths. */
export async function rebase(
  write: Write,
  folder: FolderKey,
  path: string,
  parent: FolderKey,
  parentPath: string,
): Promise<void> {
  const { start, end } = pathRange(path)
  const below = await write
    .selectFrom('folder')
    .where('path', '>=', start)
    .where('path', '<', end)
    .select('path')
    .execute()
  const deepest = Math.max(...below.map((row) => readFolderPath(row.path).length))
  checkDepth(parentPath, deepest - readFolderPath(path).length + 1)
  await write.updateTable('folder').set({ parent_id: parent }).where('id', '=', folder).execute()
  await write
    .updateTable('folder')
    .set(({ ref }) => ({
      path: sql<string>`${`${parentPath}${folder}/`} || substr(${ref('path')}, ${sql.lit(path.length + 1)})`,
    }))
    .where('path', '>=', start)
    .where('path', '<', end)
    .execute()
}

/** The path of a document in the search index has room for this many folders. */
const MAX_DEPTH = 64

/** Throws a {@link FilingError} when a folder inside one with this path would be too deep. */
function checkDepth(parentPath: string, levelsBelow = 1): void {
  if (readFolderPath(parentPath).length + levelsBelow <= MAX_DEPTH) return
  throw new FilingError('too_deep', `Folders are ${MAX_DEPTH} levels deep at most.`)
}
