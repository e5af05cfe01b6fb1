import { type Actor, checkActor } from '../../access/current-roles.ts'
import { rebase } from '../../catalogue/folders.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import {
  type BinKey,
  type DocumentKey,
  SOLVE_BLOB_COLUMNS,
  type TeamFileKey,
  type TeamKey,
} from '../../platform/database/tables.ts'
import { discardBlobs } from '../../team-writes/content-blobs.ts'
import { raiseVersion } from '../../team-writes/raise-version.ts'

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

async function deleteDocuments(write: Write, documents: readonly DocumentKey[]): Promise<void> {
  if (documents.length === 0) return
  await discardBlobsOf(write, documents)
  await write.deleteFrom('document').where('id', 'in', documents).execute()
}

async function deleteFiles(write: Write, files: readonly TeamFileKey[]): Promise<void> {
  if (files.length === 0) return
  const rows = await write
    .selectFrom('team_file')
    .where('id', 'in', files)
    .select(['blob', 'thumbnail'])
    .execute()
  const digests = new Set(rows.flatMap(({ blob, thumbnail }) => (thumbnail ? [blob, thumbnail] : [blob])))
  await discardBlobs(write, [...digests])
  await write.deleteFrom('team_file').where('id', 'in', files).execute()
}

/** Marks the blobs of the documents and their solutions for garbage collection. */
async function discardBlobsOf(write: Write, documents: readonly DocumentKey[]): Promise<void> {
  const [solves, snapshots, facts, values, sources] = [
    await write
      .selectFrom('solve')
      .where('document_id', 'in', documents)
      .select(SOLVE_BLOB_COLUMNS)
      .execute(),
    await write
      .selectFrom('document_snapshot')
      .where('document_id', 'in', documents)
      .select('blob')
      .execute(),
    await write
      .selectFrom('document_facts')
      .where('document_id', 'in', documents)
      .select('clusters_blob')
      .execute(),
    await write.selectFrom('document_value').where('document_id', 'in', documents).select('digest').execute(),
    await write.selectFrom('document').where('id', 'in', documents).select('source_blob').execute(),
  ]
  const digests = new Set(
    [...solves, ...snapshots, ...facts, ...values, ...sources]
      .flatMap((row) => Object.values(row))
      .filter((digest) => digest !== null),
  )
  await discardBlobs(write, [...digests])
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
