import { type Actor, checkActor } from '../../access/current-roles.ts'
import { readTarget } from '../../audit/named-rows.ts'
import { recordEvent } from '../../audit/record-event.ts'
import { namedRowOf } from '../../library/bin.ts'
import { rebase } from '../../library/folders.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import type { BinKey, DocumentKey, TeamFileKey, TeamKey } from '../../platform/database/tables.ts'
import { deleteDocuments, deleteFiles } from '../../team/delete-contents.ts'
import { raiseVersion } from '../../team/raise-version.ts'

/** Documents per transaction, during which other writers wait. */
const BATCH = 200

/**
 * Deletes an item of the bin with its contents, in batches. If this is interrupted, the item stays in the bin with the
 * rest of its contents. Folders and documents that were inside it and deleted earlier are items of their own: they stay
 * in the bin and move to the root.
 * Throws an `AccessEndedError` when the actor may no longer delete; what was deleted until then stays deleted.
 */
export async function deletePermanently(database: Database, actor: Actor, item: BinKey): Promise<void> {
  const { team } = actor
  let isDone = false
  while (!isDone) {
    isDone = await database.transaction(async (write) => {
      await raiseVersion(write, team)
      await checkActor(database, write, actor)
      await recordPurge(write, team, item)
      const documents = await listKeys(write, 'document', team, item)
      await deleteDocuments(write, documents)
      const files = await listKeys(write, 'team_file', team, item)
      await deleteFiles(write, files)
      if (documents.length === BATCH || files.length === BATCH) return false
      await deleteFolders(write, team, item)
      await write.deleteFrom('bin_item').where('id', '=', item).where('team_id', '=', team).execute()
      return true
    })
  }
}

/** Records the deletion of an item in each transaction that deletes a part of it. */
async function recordPurge(write: Write, team: TeamKey, item: BinKey): Promise<void> {
  const found = await write
    .selectFrom('bin_item')
    .where('id', '=', item)
    .where('team_id', '=', team)
    .select(['folder_id as folder', 'document_id as document', 'file_id as file'])
    .executeTakeFirst()
  const row = found && namedRowOf(found)
  if (row) recordEvent(write, { action: 'bin.purged', team, target: await readTarget(write, row) })
}

/** The first keys of the documents or other files of an item. */
async function listKeys<Table extends 'document' | 'team_file'>(
  write: Write,
  table: Table,
  team: TeamKey,
  item: BinKey,
): Promise<KeyOf[Table][]> {
  const rows = await write
    .selectFrom<'document' | 'team_file'>(table)
    .where('bin_id', '=', item)
    .where('team_id', '=', team)
    .limit(BATCH)
    .select('id')
    .execute()
  return rows.map(({ id }) => id as KeyOf[Table])
}

interface KeyOf {
  document: DocumentKey
  team_file: TeamFileKey
}

async function deleteFolders(write: Write, team: TeamKey, item: BinKey): Promise<void> {
  await moveOtherItemsToRoot(write, team, item)
  for (const table of ['document', 'team_file'] as const) {
    await write
      .updateTable(table)
      .set({ source_root_id: null })
      .where('source_root_id', 'in', foldersOf(write, team, item))
      .where('team_id', '=', team)
      .execute()
  }
  await write.deleteFrom('folder').where('bin_id', '=', item).where('team_id', '=', team).execute()
}

const foldersOf = (write: Write, team: TeamKey, item: BinKey) =>
  write
    .selectFrom('folder as deleted')
    .where('deleted.bin_id', '=', item)
    .where('deleted.team_id', '=', team)
    .select('deleted.id')

/** Moves the documents, other files and folders that are inside the item's folders, and are bin items of their own, to the root. */
async function moveOtherItemsToRoot(write: Write, team: TeamKey, item: BinKey): Promise<void> {
  const root = await write
    .selectFrom('folder')
    .where('team_id', '=', team)
    .where('parent_id', 'is', null)
    .select(['id', 'path'])
    .executeTakeFirstOrThrow()
  await write
    .updateTable('bin_item')
    .set({ home_is_gone: 1 })
    .where('team_id', '=', team)
    .where(({ or, eb }) =>
      or([
        eb('document_id', 'in', (subquery) =>
          subquery
            .selectFrom('document')
            .where('document.folder_id', 'in', foldersOf(write, team, item))
            .select('document.id'),
        ),
        eb('file_id', 'in', (subquery) =>
          subquery
            .selectFrom('team_file')
            .where('team_file.folder_id', 'in', foldersOf(write, team, item))
            .select('team_file.id'),
        ),
        eb('folder_id', 'in', (subquery) =>
          subquery
            .selectFrom('folder')
            .where('folder.parent_id', 'in', foldersOf(write, team, item))
            .select('folder.id'),
        ),
      ]),
    )
    .execute()
  for (const table of ['document', 'team_file'] as const) {
    await write
      .updateTable(table)
      .set({ folder_id: root.id })
      .where('team_id', '=', team)
      .where('folder_id', 'in', foldersOf(write, team, item))
      .execute()
  }
  const orphans = await write
    .selectFrom('folder')
    .where('parent_id', 'in', foldersOf(write, team, item))
    .where('bin_id', '<>', item)
    .where('team_id', '=', team)
    .select(['id', 'path'])
    .execute()
  for (const { id, path } of orphans) await rebase(write, id, path, root.id, root.path)
}
