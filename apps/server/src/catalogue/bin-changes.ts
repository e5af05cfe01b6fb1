import type { UserId } from '@meadow/contract'
import type { Write } from '../platform/database/database.ts'
import type { BinKey, DocumentKey, FolderKey, TeamKey } from '../platform/database/tables.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { getFolderPath } from '../team-writes/folder-path.ts'
import type { IndexChanges } from '../team-writes/index-changes.ts'
import { getIndexed } from '../team-writes/indexed-document.ts'
import { listIndexed, pathRange } from '../team-writes/subtree.ts'
import { restoreBinItem } from './restore-bin-item.ts'
import type { BinChanges } from './team-change.ts'

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
      for (const document of await listIndexed(write, team, path, null)) index.remove(document)
      const { key, id } = await createItem({ folder_id: folder }, by)
      await putIntoBin(write, path, key)
      await giveUpWaiting(write, key)
      return id
    },
    async binDocument(document, by) {
      index.remove(await getIndexed(write, team, document))
      const { key, id } = await createItem({ document_id: document }, by)
      await write.updateTable('document').set({ bin_id: key }).where('id', '=', document).execute()
      await giveUpWaiting(write, key)
      return id
    },
    restore: (item) => restoreBinItem(write, team, item, index),
  }
}

/** All below the path that is not in the bin yet. */
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

/** Nobody is to pay for a solve of what they deleted. One that runs goes on. */
async function giveUpWaiting(write: Write, item: BinKey): Promise<void> {
  await write
    .deleteFrom('solve')
    .where('state', '=', 'queued')
    .where('document_id', 'in', ({ selectFrom }) =>
      selectFrom('document').where('bin_id', '=', item).select('document.id'),
    )
    .execute()
}
