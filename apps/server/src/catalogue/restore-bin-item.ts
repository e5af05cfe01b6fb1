import type { Write } from '../platform/database/database.ts'
import type { BinKey, FolderKey, TeamKey } from '../platform/database/tables.ts'
import { FilingError } from '../team-writes/folder-path.ts'
import type { IndexChanges } from '../team-writes/index-changes.ts'
import { getIndexed } from '../team-writes/indexed-document.ts'
import { listIndexed } from '../team-writes/subtree.ts'
import { rebase } from './move-folder.ts'
import { FOLDER_COLUMNS } from './selections.ts'
import type { Restored } from './team-change.ts'

type Home = Restored['folder'] & { path: string }

/** `BinChanges.restore`. */
export async function restoreBinItem(
  write: Write,
  team: TeamKey,
  item: BinKey,
  index: IndexChanges,
): Promise<Restored> {
  const found = await write
    .selectFrom('bin_item')
    .leftJoin('folder', 'folder.id', 'bin_item.folder_id')
    .leftJoin('document', 'document.id', 'bin_item.document_id')
    .where('bin_item.id', '=', item)
    .where('bin_item.team_id', '=', team)
    .select([
      'folder.id as folder',
      'folder.public_id as folderId',
      'folder.parent_id as parent',
      'folder.path',
      'document.id as document',
      'document.public_id as documentId',
      'document.folder_id as home',
      'bin_item.home_is_gone as isHomeless',
    ])
    .executeTakeFirst()
  const was = found?.parent ?? found?.home
  if (!found || !was) throw new FilingError('gone', `There is no item ${item} in the bin.`)
  await freeSources(write, item)
  const { home, wentToRoot } = await findHome(write, team, found.isHomeless ? undefined : was)
  if (found.folder !== null) {
    if (wentToRoot) await rebase(write, found.folder, found.path!, home.key, home.path)
    await takeOut(write, item)
    for (const document of await listIndexed(write, team, `${home.path}${found.folder}/`, null)) {
      index.add(document)
    }
  } else {
    if (wentToRoot)
      await write
        .updateTable('document')
        .set({ folder_id: home.key })
        .where('id', '=', found.document!)
        .execute()
    await takeOut(write, item)
    index.add(await getIndexed(write, team, found.document!))
  }
  const { path: _, ...folder } = home
  return found.folderId !== null
    ? { kind: 'folder', id: found.folderId, folder, wentToRoot }
    : { kind: 'document', id: found.documentId!, folder, wentToRoot }
}

/** The folder that something was in, or the root where that one is gone, or in the bin itself. */
async function findHome(
  write: Write,
  team: TeamKey,
  was: FolderKey | undefined,
): Promise<{ home: Home; wentToRoot: boolean }> {
  const folders = write
    .selectFrom('folder')
    .where('team_id', '=', team)
    .select([...FOLDER_COLUMNS, 'parent_id as parent', 'path'])
  const there = was && (await folders.where('id', '=', was).where('bin_id', 'is', null).executeTakeFirst())
  if (there) return { home: there, wentToRoot: false }
  return { home: await folders.where('parent_id', 'is', null).executeTakeFirstOrThrow(), wentToRoot: true }
}

async function takeOut(write: Write, item: BinKey): Promise<void> {
  await write.updateTable('document').set({ bin_id: null }).where('bin_id', '=', item).execute()
  await write.updateTable('folder').set({ bin_id: null }).where('bin_id', '=', item).execute()
  await write.deleteFrom('bin_item').where('id', '=', item).execute()
}

/** A file that was imported again meanwhile has another document: the one in the bin is nobody's any more. */
async function freeSources(write: Write, item: BinKey): Promise<void> {
  await write
    .updateTable('document')
    .set({ source_root_id: null })
    .where('bin_id', '=', item)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('document as other')
          .whereRef('other.source_root_id', '=', 'document.source_root_id')
          .whereRef('other.source_path', '=', 'document.source_path')
          .where('other.bin_id', 'is', null)
          .select('other.id'),
      ),
    )
    .execute()
}
