import type { BinItemId, DocumentId, FolderId, UserId } from '@meadow/contract'
import type { Write } from '../platform/database/database.ts'
import type { BinKey, DocumentKey, FolderKey, TeamKey } from '../platform/database/tables.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { FilingError, getFolderPath, pathRange } from '../team-writes/folder-path.ts'
import { getIndexedDocument, type IndexChanges, listIndexedDocuments } from '../team-writes/index-changes.ts'
import type { FolderRecord } from './folders.ts'
import { FOLDER_COLUMNS, rebase } from './folders.ts'

export interface BinChanges {
  /** Puts a folder into the bin, with everything inside that is not in the bin yet. Not the root. */
  binFolder(folder: FolderKey, by: UserId): Promise<BinItemId>
  binDocument(document: DocumentKey, by: UserId): Promise<BinItemId>
  /** Puts a deleted item back where it was, or into the root when that folder is deleted. Throws a {@link FilingError}. */
  restore(item: BinKey): Promise<Restored>
}

export interface Restored {
  kind: 'folder' | 'document'
  id: FolderId | DocumentId
  /** Where it is now. */
  folder: FolderRecord & { parent: FolderKey | null }
  wentToRoot: boolean
}

export function createBinChanges(write: Write, team: TeamKey, index: IndexChanges): BinChanges {
  async function createItem(what: { folder_id: FolderKey } | { document_id: DocumentKey }, by: UserId) {
    return write
      .insertInto('bin_item')
      .values({
        public_id: createPublicId('bin'),
        team_id: team,
        deleted_at: Date.now(),
        deleted_by: by,
        ...what,
      })
      .returning(['id as key', 'public_id as id'])
      .executeTakeFirstOrThrow()
  }

  return {
    async binFolder(folder, by) {
      const path = await getFolderPath(write, team, folder)
      for (const document of await listIndexedDocuments(write, team, path, null)) index.remove(document)
      const { key, id } = await createItem({ folder_id: folder }, by)
      await putIntoBin(write, path, key)
      await deleteQueuedSolves(write, key)
      return id
    },
    async binDocument(document, by) {
      index.remove(await getIndexedDocument(write, team, document))
      const { key, id } = await createItem({ document_id: document }, by)
      await write.updateTable('document').set({ bin_id: key }).where('id', '=', document).execute()
      await deleteQueuedSolves(write, key)
      return id
    },
    restore: (item) => restoreBinItem(write, team, item, index),
  }
}

/** Puts everything below the path that is not in the bin yet into the bin. */
async function putIntoBin(write: Write, path: string, item: BinKey): Promise<void> {
  const { start, end } = pathRange(path)
  await write
    .updateTable('document')
    .set({ bin_id: item })
    .where('bin_id', 'is', null)
    .where('folder_id', 'in', ({ selectFrom }) =>
      selectFrom('folder').where('path', '>=', start).where('path', '<', end).select('folder.id'),
    )
    .execute()
  await write
    .updateTable('folder')
    .set({ bin_id: item })
    .where('bin_id', 'is', null)
    .where('path', '>=', start)
    .where('path', '<', end)
    .execute()
}

/** A deleted document is not solved, nor charged. A running solve goes on. */
async function deleteQueuedSolves(write: Write, item: BinKey): Promise<void> {
  await write
    .deleteFrom('solve')
    .where('state', '=', 'queued')
    .where('document_id', 'in', ({ selectFrom }) =>
      selectFrom('document').where('bin_id', '=', item).select('document.id'),
    )
    .execute()
}

type Home = Restored['folder'] & { path: string }

async function restoreBinItem(
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
  const { home, wentToRoot } = await findTarget(write, team, found.isHomeless ? undefined : was)
  if (found.folder !== null) {
    if (wentToRoot) await rebase(write, found.folder, found.path!, home.key, home.path)
    await takeOut(write, item)
    for (const document of await listIndexedDocuments(write, team, `${home.path}${found.folder}/`, null)) {
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
    index.add(await getIndexedDocument(write, team, found.document!))
  }
  const { path: _, ...folder } = home
  return found.folderId !== null
    ? { kind: 'folder', id: found.folderId, folder, wentToRoot }
    : { kind: 'document', id: found.documentId!, folder, wentToRoot }
}

/** The folder that an item was in, or the root when that folder is deleted or in the bin itself. */
async function findTarget(
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

/** A file that was imported again meanwhile has another document: the one in the bin belongs to no file any more. */
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
