import type { BinItemId, DocumentId, FolderId, TeamFileId, UserId } from '@meadow/contract'
import { sql } from 'kysely'
import { type NamedRow, readTarget } from '../audit/named-rows.ts'
import { publishSolves } from '../content/solve-notifications.ts'
import type { Database, Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { inBatches } from '../platform/database/in-batches.ts'
import type { BinKey, DocumentKey, FolderKey, TeamFileKey, TeamKey } from '../platform/database/tables.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { FilingError, FOLDER_COLUMNS, type FolderRecord, getFolderPath, pathRange } from '../team/folders.ts'
import { getIndexedDocument, listIndexedDocuments } from '../team/index-changes.ts'
import type { TeamTransaction } from '../team/team-transaction.ts'
import { rebase } from './folders.ts'
import type { ItemKey } from './sources.ts'

export interface Restored {
  kind: 'folder' | 'document' | 'file'
  id: FolderId | DocumentId | TeamFileId
  /** The folder that the item is in now. */
  folder: FolderRecord & { parent: FolderKey | null }
  wentToRoot: boolean
}

async function createItem({ write, team, record }: TeamTransaction, what: What, by: UserId | undefined) {
  const target = await readTarget(write, toNamedRow(what))
  const details = by === undefined ? { because: 'its file is gone' } : undefined
  record({ action: 'bin.deleted', target, details })
  return write
    .insertInto('bin_item')
    .values({
      public_id: createPublicId('bin'),
      team_id: team,
      deleted_at: timeOf(write),
      deleted_by: by ?? null,
      file_is_gone: by === undefined ? 1 : 0,
      ...what,
    })
    .returning(['id as key', 'public_id as id'])
    .executeTakeFirstOrThrow()
}

/** `by`: who deletes it; undefined when the file that it was imported from is gone. */
export async function putDocumentIntoBin(
  change: TeamTransaction,
  document: DocumentKey,
  by?: UserId,
): Promise<BinItemId> {
  const { write, team, index, database } = change
  index.remove(await getIndexedDocument(write, team, document))
  const { key, id } = await createItem(change, { document_id: document }, by)
  await write.updateTable('document').set({ bin_id: key }).where('id', '=', document).execute()
  await endSolves(database, write, key)
  return id
}

/** `by`: as for `putDocumentIntoBin`. */
export async function putFileIntoBin(
  change: TeamTransaction,
  file: TeamFileKey,
  by?: UserId,
): Promise<BinItemId> {
  const { write, team } = change
  const { key, id } = await createItem(change, { file_id: file }, by)
  const { numUpdatedRows } = await write
    .updateTable('team_file')
    .set({ bin_id: key })
    .where('id', '=', file)
    .where('team_id', '=', team)
    .where('bin_id', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new FilingError('gone', `The team ${team} has no file ${file}.`)
  return id
}

/** Puts a folder into the bin, with everything inside that is not in the bin yet. Not the root. */
export async function putFolderIntoBin(
  change: TeamTransaction,
  folder: FolderKey,
  by: UserId,
): Promise<BinItemId> {
  const { write, team, index, database } = change
  const path = await getFolderPath(write, team, folder)
  for (const document of await listIndexedDocuments(write, team, path, null)) index.remove(document)
  const { key, id } = await createItem(change, { folder_id: folder }, by)
  await putIntoBin(write, path, key)
  await endSolves(database, write, key)
  return id
}

/** Puts something into the bin because the file that it was imported from is gone. */
export const putGoneIntoBin = (change: TeamTransaction, item: ItemKey): Promise<BinItemId> =>
  item.kind === 'document' ? putDocumentIntoBin(change, item.key) : putFileIntoBin(change, item.key)

type What = { folder_id: FolderKey } | { document_id: DocumentKey } | { file_id: TeamFileKey }

function toNamedRow(what: What): NamedRow {
  if ('folder_id' in what) return { kind: 'folder', key: what.folder_id }
  if ('document_id' in what) return { kind: 'document', key: what.document_id }
  return { kind: 'file', key: what.file_id }
}

/** Puts everything below the path that is not in the bin yet into the bin. */
async function putIntoBin(write: Write, path: string, item: BinKey): Promise<void> {
  const { start, end } = pathRange(path)
  for (const table of ['document', 'team_file'] as const) {
    await write
      .updateTable(table)
      .set({ bin_id: item })
      .where('bin_id', 'is', null)
      .where('folder_id', 'in', ({ selectFrom }) =>
        selectFrom('folder').where('path', '>=', start).where('path', '<', end).select('folder.id'),
      )
      .execute()
  }
  await write
    .updateTable('folder')
    .set({ bin_id: item })
    .where('bin_id', 'is', null)
    .where('path', '>=', start)
    .where('path', '<', end)
    .execute()
}

/** A deleted document is not solved, nor charged. A running solve goes on, and nobody waits for it any more. */
async function endSolves(database: Pick<Database, 'publish'>, write: Write, item: BinKey): Promise<void> {
  const live = await write
    .selectFrom('solve')
    .innerJoin('document', 'document.id', 'solve.document_id')
    .where('document.bin_id', '=', item)
    .where('solve.state', 'in', ['queued', 'running'])
    .select(['solve.id', 'solve.state', 'solve.document_id as document'])
    .execute()
  for (const some of inBatches(live.filter(({ state }) => state === 'queued')))
    await write
      .deleteFrom('solve')
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute()
  await publishSolves(
    database,
    write,
    'ended',
    live.map(({ document }) => document),
  )
}

type Home = Restored['folder'] & { path: string }

/** Puts a deleted item back where it was, or into the root when that folder is deleted. Throws a {@link FilingError}. */
export async function restoreFromBin(
  { write, team, index, record }: TeamTransaction,
  item: BinKey,
): Promise<Restored> {
  const found = await write
    .selectFrom('bin_item')
    .leftJoin('folder', 'folder.id', 'bin_item.folder_id')
    .leftJoin('document', 'document.id', 'bin_item.document_id')
    .leftJoin('team_file as file', 'file.id', 'bin_item.file_id')
    .where('bin_item.id', '=', item)
    .where('bin_item.team_id', '=', team)
    .select([
      'folder.id as folder',
      'folder.public_id as folderId',
      'folder.parent_id as parent',
      'folder.path',
      'document.id as document',
      'document.public_id as documentId',
      'document.folder_id as documentHome',
      'file.id as file',
      'file.public_id as fileId',
      'file.folder_id as fileHome',
      'bin_item.home_is_gone as isHomeless',
    ])
    .executeTakeFirst()
  const was = found?.parent ?? found?.documentHome ?? found?.fileHome
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
    for (const table of ['document', 'team_file'] as const) {
      if (wentToRoot)
        await write.updateTable(table).set({ folder_id: home.key }).where('bin_id', '=', item).execute()
    }
    await takeOut(write, item)
    if (found.document !== null) index.add(await getIndexedDocument(write, team, found.document))
  }
  const { path: _, ...folder } = home
  record({
    action: 'bin.restored',
    target: await readTarget(write, namedRowOf(found)!),
    details: { wentToRoot },
  })
  if (found.folderId !== null) return { kind: 'folder', id: found.folderId, folder, wentToRoot }
  return found.documentId !== null
    ? { kind: 'document', id: found.documentId, folder, wentToRoot }
    : { kind: 'file', id: found.fileId!, folder, wentToRoot }
}

/** Returns the kind and key of an item of the bin. */
export function namedRowOf({
  folder,
  document,
  file,
}: {
  folder: FolderKey | null
  document: DocumentKey | null
  file: TeamFileKey | null
}): NamedRow | undefined {
  if (folder !== null) return { kind: 'folder', key: folder }
  if (document !== null) return { kind: 'document', key: document }
  return file === null ? undefined : { kind: 'file', key: file }
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
  for (const table of ['document', 'team_file'] as const) {
    // What an import deleted because its file is gone is not deleted again.
    await write
      .updateTable(table)
      .set({ source_gone: 'kept' })
      .where('bin_id', '=', item)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('bin_item').where('id', '=', item).where('file_is_gone', '=', 1).select('bin_item.id'),
        ),
      )
      .execute()
    await write.updateTable(table).set({ bin_id: null }).where('bin_id', '=', item).execute()
  }
  await write.updateTable('folder').set({ bin_id: null }).where('bin_id', '=', item).execute()
  await write.deleteFrom('bin_item').where('id', '=', item).execute()
}

/** A file that has got another document meanwhile keeps that: the one in the bin belongs to no file any more. */
async function freeSources(write: Write, item: BinKey): Promise<void> {
  for (const table of ['document', 'team_file'] as const) {
    await sql`update ${sql.table(table)} set source_root_id = null
      where bin_id = ${item} and exists (select 1 from ${sql.table(table)} as other
        where other.source_root_id = ${sql.table(table)}.source_root_id
          and other.source_path = ${sql.table(table)}.source_path and other.bin_id is null)`.execute(write)
  }
}
