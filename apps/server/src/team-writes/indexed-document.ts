import type { Write } from '../platform/database/database.ts'
import type { IndexedDocument } from '../platform/database/search-index.ts'
import type { DocumentKey, TeamKey } from '../platform/database/tables.ts'
import { FilingError, readFolderPath } from './folder-path.ts'

/**
 * A document as the search index has it. Throws a {@link FilingError} when the team has no such document, or has it in
 * the bin.
 */
export async function getIndexed(
  write: Write,
  team: TeamKey,
  document: DocumentKey,
): Promise<IndexedDocument> {
  const row = await write
    .selectFrom('document')
    .innerJoin('folder', 'folder.id', 'document.folder_id')
    .where('document.id', '=', document)
    .where('document.team_id', '=', team)
    .where('document.bin_id', 'is', null)
    .select([
      'document.id',
      'document.public_id as publicId',
      'folder.path',
      'document.name_folded as nameFolded',
      'document.updated_at as updatedAt',
    ])
    .executeTakeFirst()
  if (!row) throw new FilingError('gone', `The team ${team} has no document ${document}.`)
  const { path, ...facts } = row
  return { ...facts, team, folders: readFolderPath(path) }
}
