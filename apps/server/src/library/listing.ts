import type { DocumentId, DocumentSummary, FolderId, FolderReference, TeamFileId } from '@meadow/contract'
import type { FileSummary, Sharing } from '@meadow/contract/web'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Select } from '../platform/database/database.ts'
import type { FolderKey, TeamFileKind } from '../platform/database/tables.ts'
import { toTimestamp } from '../platform/database/times.ts'
import { pathRange } from '../team/folders.ts'
import { sharingColumn } from '../team/sharing.ts'

/** The columns of a query of `document` of which {@link toSummary} makes a summary for the web app. */
export const DOCUMENT_COLUMNS = [
  'document.public_id as id',
  'document.name',
  sharingColumn.as('visibility'),
  'document.created_at',
  'document.updated_at',
] as const

/** The values of which {@link toSummary} makes a summary: for the API, which knows two visibilities, or the web app. */
export interface DocumentSummaryRow<V extends Sharing = Sharing> {
  id: DocumentId
  name: string
  visibility: V
  created_at: number
  updated_at: number
}

/** Makes the summary of a document as it appears in lists. */
export function toSummary<V extends Sharing>({
  id,
  name,
  visibility,
  created_at,
  updated_at,
}: DocumentSummaryRow<V>): Omit<DocumentSummary, 'visibility'> & { visibility: V } {
  return { id, name, visibility, createdAt: toTimestamp(created_at), updatedAt: toTimestamp(updated_at) }
}

/** The columns of a query of `team_file` of which {@link toFileSummary} makes a summary. */
export const FILE_COLUMNS = [
  'team_file.public_id as id',
  'team_file.name',
  'team_file.kind',
  'team_file.source_size',
  'team_file.thumbnail',
  'team_file.created_at',
  'team_file.updated_at',
] as const

interface FileSummaryRow {
  id: TeamFileId
  name: string
  kind: TeamFileKind
  source_size: number
  thumbnail: string | null
  created_at: number
  updated_at: number
}

/** Makes the summary of a file that is not a document, as it appears in lists. */
export const toFileSummary = (row: FileSummaryRow): FileSummary => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  sizeBytes: row.source_size,
  hasThumbnail: row.thumbnail !== null,
  createdAt: toTimestamp(row.created_at),
  updatedAt: toTimestamp(row.updated_at),
})

/** The columns that say in which folder an item is, of a query that joins `folder`. */
export const FOLDER_OF_ITEM_COLUMNS = [
  'folder.public_id as folderId',
  'folder.name as folderName',
  'folder.parent_id as folderParent',
] as const

/** The values of {@link FOLDER_OF_ITEM_COLUMNS} as they are read. */
export interface FolderOfItemRow {
  folderId: FolderId
  folderName: string
  folderParent: FolderKey | null
}

/**
 * Returns the folder of an item that a search found. `isRoot` says that it is the team's root, which the app shows by the
 * team's name.
 */
export const toFolderOfFound = ({ folderId, folderName, folderParent }: FolderOfItemRow) => ({
  folder: { id: folderId, name: folderName },
  isRoot: folderParent === null,
})

/** Returns the folder of an item. The root has the name of the team. */
export const toFolderOfItem = (
  { folderId, folderName, folderParent }: FolderOfItemRow,
  teamName: string,
): FolderReference => ({ id: folderId, name: folderParent === null ? teamName : folderName })

/** Makes a condition on a column that names a folder: the folder is this one, or one below it at any depth. */
export async function makeIsBelow(
  read: Select,
  folder: FolderKey,
): Promise<(column: string) => RawBuilder<SqlBool>> {
  const { path } = await read
    .selectFrom('folder')
    .where('id', '=', folder)
    .select('path')
    .executeTakeFirstOrThrow()
  const { start, end } = pathRange(path)
  return (column) => sql`${sql.ref(column)} in (
    select id from folder where path >= ${start} and path < ${end})`
}
