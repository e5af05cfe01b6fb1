import type { Write } from '../platform/database/database.ts'
import type { IndexedDocument } from '../platform/database/search-index.ts'
import type { BinKey, TeamKey } from '../platform/database/tables.ts'
import { readFolderPath } from './folder-path.ts'

/** The paths of a folder and of all that are below it are those from `start` on and before `end`. */
export const pathRange = (path: string) => ({ start: path, end: `${path.slice(0, -1)}0` })

/** As the search index has them, the documents in a folder at any depth that are there, or in this item of the bin. */
export async function listIndexed(
  write: Write,
  team: TeamKey,
  path: string,
  bin: BinKey | null,
): Promise<IndexedDocument[]> {
  const { start, end } = pathRange(path)
  const rows = await write
    .selectFrom('folder')
    .innerJoin('document', 'document.folder_id', 'folder.id')
    .where('folder.path', '>=', start)
    .where('folder.path', '<', end)
    .where('document.bin_id', bin === null ? 'is' : '=', bin)
    .select([
      'document.id',
      'document.public_id as publicId',
      'folder.path',
      'document.name_folded as nameFolded',
      'document.updated_at as updatedAt',
    ])
    .execute()
  return rows.map(({ path, ...document }) => ({ ...document, team, folders: readFolderPath(path) }))
}
