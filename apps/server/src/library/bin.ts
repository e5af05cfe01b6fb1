import type { BinItemId, DocumentId, FolderId, TeamFileId, UserId } from '@meadow/contract'
import { sql } from 'kysely'
import { type NamedRow, readTarget, readTargets } from '../audit/named-rows.ts'
import { publishSolves } from '../content/solve-notifications.ts'
import type { Database, Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { inBatches } from '../platform/database/in-batches.ts'
import type { BinKey, DocumentKey, FolderKey, TeamFileKey, TeamKey } from '../platform/database/tables.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { FilingError, FOLDER_COLUMNS, type FolderRecord, getFolderPath, pathRange } from '../team/folders.ts'
import { getIndexedDocuments, listIndexedDocuments } from '../team/index-changes.ts'
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

/** Creates items of the bin for rows of one kind, and records their deletion. */
async function createItems(
  { write, team, record }: TeamTransaction,
  kind: NamedRow['kind'],
  keys: readonly NamedRow['key'][],
  by: UserId | undefined,
): Promise<{ key: BinKey; id: BinItemId }[]> {
  const details = by === undefined ? { because: 'its file is gone' } : undefined
  for (const target of await readTargets(write, kind, keys))
    record({ action: 'bin.deleted', target, details })
  const items = keys.map((key) => ({
    public_id: createPublicId('bin'),
    team_id: team,
    deleted_at: timeOf(write),
    deleted_by: by ?? null,
    file_is_gone: by === undefined ? (1 as const) : (0 as const),
    [COLUMNS[kind]]: key,
  }))
  return write.insertInto('bin_item').values(items).returning(['id as key', 'public_id as id']).execute()
}

/** The columns of `bin_item` that refer to rows of each kind. */
const COLUMNS = { folder: 'folder_id', document: 'document_id', file: 'file_id' } as const

/**
 * Puts documents into the bin, a few hundred at a time; each becomes an item. `by`: who deletes them; undefined when the
 * files that they were imported from are gone. Throws a {@link FilingError} when one is not there.
 */
export async function putDocumentsIntoBin(
  change: TeamTransaction,
  documents: readonly DocumentKey[],
  by?: UserId,
): Promise<BinItemId[]> {
  const { write, team, index, database } = change
  for (const document of await getIndexedDocuments(write, team, documents)) index.remove(document)
  const items = await createItems(change, 'document', documents, by)
  const keys = items.map(({ key }) => key)
  await write
    .updateTable('document')
    .from('bin_item as item')
    .set(({ ref }) => ({ bin_id: ref('item.id') }))
    .whereRef('document.id', '=', 'item.document_id')
    .where('item.id', 'in', keys)
    .execute()
  await endSolves(database, write, keys)
  return items.map(({ id }) => id)
}

/** As {@link putDocumentsIntoBin}, for one. */
export async function putDocumentIntoBin(
  change: TeamTransaction,
  document: DocumentKey,
  by?: UserId,
): Promise<BinItemId> {
  const [item] = await putDocumentsIntoBin(change, [document], by)
  return item!
}

/** `by`: as for `putDocumentsIntoBin`. */
export async function putFileIntoBin(
  change: TeamTransaction,
  file: TeamFileKey,
  by?: UserId,
): Promise<BinItemId> {
  const { write, team } = change
  const [item] = await createItems(change, 'file', [file], by)
  const { key, id } = item!
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
  const [item] = await createItems(change, 'folder', [folder], by)
  const { key, id } = item!
  await putIntoBin(write, path, key)
  await endSolves(database, write, [key])
  return id
}

/** Puts items into the bin because the files that they were imported from are gone. */
export async function putGoneIntoBin(change: TeamTransaction, items: readonly ItemKey[]): Promise<void> {
  const documents = items.flatMap((item) => (item.kind === 'document' ? item.key : []))
  if (documents.length > 0) await putDocumentsIntoBin(change, documents)
  for (const item of items) if (item.kind !== 'document') await putFileIntoBin(change, item.key)
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
async function endSolves(
  database: Pick<Database, 'publish'>,
  write: Write,
  items: readonly BinKey[],
): Promise<void> {
  const live = await write
    .selectFrom('solve')
    .innerJoin('document', 'document.id', 'solve.document_id')
    .where('document.bin_id', 'in', items)
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
export async function restoreFromBin(change: TeamTransaction, item: BinKey): Promise<Restored> {
  const { write, team, index, record } = change
  const found = await write
    .selectFrom('bin_item')
    .leftJoin('folder', 'folder.id', 'bin_item.folder_id')
    .leftJoin('team_file as file', 'file.id', 'bin_item.file_id')
    .where('bin_item.id', '=', item)
    .where('bin_item.team_id', '=', team)
    .select([
      'bin_item.document_id as document',
      'folder.id as folder',
      'folder.public_id as folderId',
      'folder.parent_id as parent',
      'folder.path',
      'file.id as file',
      'file.public_id as fileId',
      'file.folder_id as fileHome',
      'bin_item.home_is_gone as isHomeless',
    ])
    .executeTakeFirst()
  if (found && found.document !== null) return (await restoreDocuments(change, [item]))[0]!
  const was = found?.parent ?? found?.fileHome
  if (!found || !was) throw noItem(item)
  await freeSources(write, [item])
  const { home, wentToRoot } = await findTarget(write, team, found.isHomeless ? undefined : was)
  if (found.folder !== null) {
    if (wentToRoot) await rebase(write, found.folder, found.path!, home.key, home.path)
    await takeOut(write, [item])
    for (const document of await listIndexedDocuments(write, team, `${home.path}${found.folder}/`, null)) {
      index.add(document)
    }
  } else {
    if (wentToRoot)
      await write.updateTable('team_file').set({ folder_id: home.key }).where('bin_id', '=', item).execute()
    await takeOut(write, [item])
  }
  const { path: _, ...folder } = home
  record({
    action: 'bin.restored',
    target: await readTarget(write, namedRowOf(found)!),
    details: { wentToRoot },
  })
  return found.folderId !== null
    ? { kind: 'folder', id: found.folderId, folder, wentToRoot }
    : { kind: 'file', id: found.fileId!, folder, wentToRoot }
}

const noItem = (item: BinKey) => new FilingError('gone', `There is no item ${item} in the bin.`)

/** As {@link restoreFromBin}, for items that are documents, a few hundred at a time. */
export async function restoreDocuments(
  { write, team, index, record }: TeamTransaction,
  items: readonly BinKey[],
): Promise<Restored[]> {
  const rows = await write
    .selectFrom('bin_item')
    .innerJoin('document', 'document.id', 'bin_item.document_id')
    .where('bin_item.id', 'in', items)
    .where('bin_item.team_id', '=', team)
    .select(['bin_item.id as item', 'bin_item.home_is_gone as isHomeless'])
    .select(['document.id as key', 'document.public_id as id', 'document.name', 'document.folder_id as was'])
    .select(['source_root_id as source', 'source_path as path'])
    .execute()
  const byItem = new Map(rows.map((row) => [row.item, row]))
  const found = items.map((item) => {
    const row = byItem.get(item)
    if (!row) throw noItem(item)
    return row
  })
  await freeSources(write, items)
  await freeDoubles(write, found)
  const targets = new Map<FolderKey | undefined, Awaited<ReturnType<typeof findTarget>>>()
  const toRoot: BinKey[] = []
  const restored: Restored[] = []
  for (const { item, id, name, was, isHomeless } of found) {
    const place = isHomeless ? undefined : was
    const target = targets.get(place) ?? (await findTarget(write, team, place))
    targets.set(place, target)
    const { wentToRoot } = target
    const { path: _, ...folder } = target.home
    if (wentToRoot) toRoot.push(item)
    record({ action: 'bin.restored', target: { kind: 'document', id, name }, details: { wentToRoot } })
    restored.push({ kind: 'document', id, folder, wentToRoot })
  }
  if (toRoot.length > 0) {
    const root = [...targets.values()].find(({ wentToRoot }) => wentToRoot)!.home.key
    await write.updateTable('document').set({ folder_id: root }).where('bin_id', 'in', toRoot).execute()
  }
  await takeOut(write, items)
  const keys = found.map(({ key }) => key)
  for (const document of await getIndexedDocuments(write, team, keys)) index.add(document)
  return restored
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

async function takeOut(write: Write, items: readonly BinKey[]): Promise<void> {
  for (const table of ['document', 'team_file'] as const) {
    // What an import deleted because its file is gone is not deleted again.
    await write
      .updateTable(table)
      .set({ source_gone: 'kept' })
      .where('bin_id', 'in', items)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('bin_item')
            .whereRef('bin_item.id', '=', `${table}.bin_id`)
            .where('file_is_gone', '=', 1)
            .select('bin_item.id'),
        ),
      )
      .execute()
    await write.updateTable(table).set({ bin_id: null }).where('bin_id', 'in', items).execute()
  }
  await write.updateTable('folder').set({ bin_id: null }).where('bin_id', 'in', items).execute()
  await write.deleteFrom('bin_item').where('id', 'in', items).execute()
}

/** A file that has got another document meanwhile keeps that: those in the bin belong to no file any more. */
async function freeSources(write: Write, items: readonly BinKey[]): Promise<void> {
  for (const table of ['document', 'team_file'] as const) {
    await sql`update ${sql.table(table)} set source_root_id = null
      where bin_id in (${sql.join(items)}) and exists (select 1 from ${sql.table(table)} as other
        where other.source_root_id = ${sql.table(table)}.source_root_id
          and other.source_path = ${sql.table(table)}.source_path and other.bin_id is null)`.execute(write)
  }
}

/** Of documents of one file that are restored together, the first one keeps it. */
async function freeDoubles(
  write: Write,
  found: readonly { key: DocumentKey; source: FolderKey | null; path: string | null }[],
): Promise<void> {
  const files = new Set<string>()
  const doubles: DocumentKey[] = []
  for (const { key, source, path } of found) {
    const file = `${source} ${path}`
    if (source !== null && files.has(file)) doubles.push(key)
    files.add(file)
  }
  if (doubles.length > 0)
    await write.updateTable('document').set({ source_root_id: null }).where('id', 'in', doubles).execute()
}
