import { type Actor, checkActor } from '../../access/current-roles.ts'
import { rebase } from '../../catalogue/folders.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import {
  type BinKey,
  type DocumentKey,
  SOLVE_BLOB_COLUMNS,
  type TeamKey,
} from '../../platform/database/tables.ts'
import { discardBlobs } from '../../team-writes/content-blobs.ts'
import { raiseVersion } from '../../team-writes/raise-version.ts'

/** So many documents go in one transaction: other writers wait meanwhile. */
const BATCH = 200

/**
 * Deletes an item of the bin with all that is in it, some hundreds of documents at a time. One that is cut off is still
 * in the bin, with what is left of it. What was in it and deleted before stays in the bin, as if it had been in the root.
 * Throws an `AccessEndedError` when the actor may not delete any more; what was deleted until then stays deleted.
 */
export async function deleteForEver(database: Database, actor: Actor, item: BinKey): Promise<void> {
  const { team } = actor
  let isDone = false
  while (!isDone) {
    isDone = await database.transaction(async (write) => {
      await raiseVersion(write, team)
      await checkActor(database, write, actor)
      const documents = await listDocuments(write, team, item)
      await deleteDocuments(write, documents)
      if (documents.length === BATCH) return false
      await deleteFolders(write, team, item)
      await write.deleteFrom('bin_item').where('id', '=', item).where('team_id', '=', team).execute()
      return true
    })
  }
}

async function listDocuments(write: Write, team: TeamKey, item: BinKey): Promise<DocumentKey[]> {
  const rows = await write
    .selectFrom('document')
    .where('bin_id', '=', item)
    .where('team_id', '=', team)
    .limit(BATCH)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function deleteDocuments(write: Write, documents: readonly DocumentKey[]): Promise<void> {
  if (documents.length === 0) return
  await discardBlobsOf(write, documents)
  await write.deleteFrom('document').where('id', 'in', documents).execute()
}

/** Notes which blobs the documents and their solutions named, to be removed once nothing names them. */
async function discardBlobsOf(write: Write, documents: readonly DocumentKey[]): Promise<void> {
  const [solves, snapshots, values, sources] = [
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
    await write.selectFrom('document_value').where('document_id', 'in', documents).select('digest').execute(),
    await write.selectFrom('document').where('id', 'in', documents).select('source_blob').execute(),
  ]
  const digests = new Set(
    [...solves, ...snapshots, ...values, ...sources]
      .flatMap((row) => Object.values(row))
      .filter((digest) => digest !== null),
  )
  await discardBlobs(write, [...digests])
}

async function deleteFolders(write: Write, team: TeamKey, item: BinKey): Promise<void> {
  await freeWhatIsInside(write, team, item)
  await write
    .updateTable('document')
    .set({ source_root_id: null })
    .where('source_root_id', 'in', foldersOf(write, item))
    .execute()
  await write.deleteFrom('folder').where('bin_id', '=', item).where('team_id', '=', team).execute()
}

const foldersOf = (write: Write, item: BinKey) =>
  write.selectFrom('folder as gone').where('gone.bin_id', '=', item).select('gone.id')

/** What was in these folders and is in the bin for itself is put below the root, as where it was is gone. */
async function freeWhatIsInside(write: Write, team: TeamKey, item: BinKey): Promise<void> {
  const root = await write
    .selectFrom('folder')
    .where('team_id', '=', team)
    .where('parent_id', 'is', null)
    .select(['id', 'path'])
    .executeTakeFirstOrThrow()
  await write
    .updateTable('bin_item')
    .set({ home_is_gone: 1 })
    .where(({ or, eb }) =>
      or([
        eb('document_id', 'in', (inside) =>
          inside
            .selectFrom('document')
            .where('document.folder_id', 'in', foldersOf(write, item))
            .select('document.id'),
        ),
        eb('folder_id', 'in', (inside) =>
          inside
            .selectFrom('folder')
            .where('folder.parent_id', 'in', foldersOf(write, item))
            .select('folder.id'),
        ),
      ]),
    )
    .execute()
  await write
    .updateTable('document')
    .set({ folder_id: root.id })
    .where('folder_id', 'in', foldersOf(write, item))
    .execute()
  const orphans = await write
    .selectFrom('folder')
    .where('parent_id', 'in', foldersOf(write, item))
    .where('bin_id', '<>', item)
    .select(['id', 'path'])
    .execute()
  for (const { id, path } of orphans) await rebase(write, id, path, root.id, root.path)
}
