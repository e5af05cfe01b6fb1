import type { DocumentId, UserId } from '@meadow/contract'
import type { ListedDocument, ListedFile, PersonReference } from '@meadow/contract/web'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { selectUnread } from '../../content/unread-comments.ts'
import { solveColumns, toSolveSummary } from '../../library/completeness.ts'
import {
  DOCUMENT_COLUMNS,
  type DocumentSummaryRow,
  FILE_COLUMNS,
  FOLDER_OF_ITEM_COLUMNS,
  toFileSummary,
  toFolderOfItem,
  toSummary,
} from '../../library/listing.ts'
import type { Select } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import type { TeamKey } from '../../platform/database/tables.ts'

/**
 * The account that changed a document last, as a column of a query of `document`. The log has the last changes; the
 * snapshot has the author of a content that was not edited since it was made.
 */
export const changedBy: RawBuilder<UserId | null> = sql`coalesce(
  (select user_id from document_change where document_id = document.id order by seq desc limit 1),
  (select user_id from document_snapshot where document_id = document.id and format = 'json'))`

const isFavourite = (column: 'document' | 'folder' | 'file', key: string, user: UserId) =>
  sql<SqlBool>`exists (select 1 from favourite
    where favourite.${sql.ref(`${column}_id`)} = ${sql.ref(key)} and favourite.user_id = ${user})`

export const isFavouriteFolder = (user: UserId) => isFavourite('folder', 'folder.id', user)

/** Selects the documents of a team that are not in the bin, with what lists show to a person. */
export const selectDocuments = (read: Select, team: TeamKey, user: UserId) =>
  read
    .selectFrom('document')
    .innerJoin('folder', 'folder.id', 'document.folder_id')
    .where('document.team_id', '=', team)
    .where('document.bin_id', 'is', null)
    .select([
      ...DOCUMENT_COLUMNS,
      'document.name_order as nameOrder',
      'document.content_bytes as sizeBytes',
      ...FOLDER_OF_ITEM_COLUMNS,
      ...solveColumns,
    ])
    .select([changedBy.as('changedBy'), isFavourite('document', 'document.id', user).as('isFavourite')])

/** Selects the other files of a team that are not in the bin, with what lists show to a person. */
export const selectFiles = (read: Select, team: TeamKey, user: UserId) =>
  read
    .selectFrom('team_file')
    .innerJoin('folder', 'folder.id', 'team_file.folder_id')
    .where('team_file.team_id', '=', team)
    .where('team_file.bin_id', 'is', null)
    .select([...FILE_COLUMNS, ...FOLDER_OF_ITEM_COLUMNS])
    .select(isFavourite('file', 'team_file.id', user).as('isFavourite'))

/** The open threads of comments of documents of a team, by document id; those without any are left out. */
export async function countThreads(
  read: Select,
  team: TeamKey,
  user: UserId,
  isListed: RawBuilder<SqlBool>,
): Promise<ReadonlyMap<DocumentId, ListedDocument['threads']>> {
  const unread = selectUnread(read, team, user)
    .innerJoin('document', 'document.id', 'comment.document_id')
    .where('document.team_id', '=', team)
    .where('document.bin_id', 'is', null)
    .where(isListed)
    .select('comment.thread_id as id')
    .distinct()
  const rows = await read
    .selectFrom('comment_thread as thread')
    .innerJoin('document', 'document.id', 'thread.document_id')
    .leftJoin(unread.as('unread'), 'unread.id', 'thread.id')
    .where('document.team_id', '=', team)
    .where('document.bin_id', 'is', null)
    .where('thread.resolved_at', 'is', null)
    .where(isListed)
    .groupBy('document.public_id')
    .select(({ fn }) => [
      'document.public_id as id',
      fn.countAll().as('open'),
      fn.count('unread.id').as('unread'),
    ])
    .execute()
  return new Map(rows.map(({ id, open, unread }) => [id, { open: Number(open), unread: Number(unread) }]))
}

const NO_THREADS: ListedDocument['threads'] = { open: 0, unread: 0 }

type DocumentRow = Awaited<ReturnType<ReturnType<typeof selectDocuments>['executeTakeFirstOrThrow']>>
type FileRow = Awaited<ReturnType<ReturnType<typeof selectFiles>['executeTakeFirstOrThrow']>>

/** Lists show the folder of each item where there are several; then the root has the name of the team. */
type Naming = { teamName: string } | undefined

/** What lists show of documents that is read for all of them at once. */
interface DocumentFacts {
  people: ReadonlyMap<UserId, string>
  threads: Awaited<ReturnType<typeof countThreads>>
}

export const toListedDocument = (
  row: Omit<DocumentRow, keyof DocumentSummaryRow> & DocumentSummaryRow,
  { people, threads }: DocumentFacts,
  naming: Naming,
): ListedDocument => {
  const name = row.changedBy === null ? undefined : people.get(row.changedBy)
  return {
    ...toSummary(row),
    ...toSolveSummary(row),
    isFavourite: Boolean(row.isFavourite),
    sizeBytes: row.sizeBytes,
    changedBy: name === undefined ? null : { id: row.changedBy!, name },
    threads: threads.get(row.id) ?? NO_THREADS,
    ...(naming && { folder: toFolderOfItem(row, naming.teamName) }),
  }
}

export const toListedFile = (row: FileRow, naming: Naming): ListedFile => ({
  ...toFileSummary(row),
  isFavourite: Boolean(row.isFavourite),
  ...(naming && { folder: toFolderOfItem(row, naming.teamName) }),
})

/** The names of the people who changed documents. */
export async function readNames(
  read: Select,
  rows: readonly { changedBy: UserId | null }[],
): Promise<Map<UserId, string>> {
  const ids = [...new Set(rows.flatMap(({ changedBy }) => changedBy ?? []))]
  const names = new Map<UserId, string>()
  for (const some of inBatches(ids)) {
    const people: PersonReference[] = await read
      .selectFrom('user')
      .where('id', 'in', some)
      .select(['id', 'name'])
      .execute()
    for (const { id, name } of people) names.set(id, name)
  }
  return names
}
