import type { Select } from '../platform/database/database.ts'
import type { FolderKey } from '../platform/database/tables.ts'
import type { ImportedDocument, ImportedPage } from './records.ts'

/** Documents as `ImportedDocument`s. */
const selectDocuments = (read: Select, root: FolderKey) =>
  read
    .selectFrom('document')
    .where('source_root_id', '=', root)
    .where('bin_id', 'is', null)
    .select([
      'id as key',
      'public_id as id',
      'name',
      'source_from as from',
      'source_path as path',
      'source_sha256 as sha256',
      'source_size as sizeBytes',
      'source_mtime as mtimeMs',
      'seq',
      'source_seq as sourceSeq',
    ])
    // With a root, all of a source is there: a check of the table.
    .$castTo<ImportedDocument>()

/** What was imported into `root` from any of `paths`. */
export async function selectImported(
  read: Select,
  root: FolderKey,
  paths: readonly string[],
): Promise<ImportedDocument[]> {
  return paths.length === 0 ? [] : selectDocuments(read, root).where('source_path', 'in', paths).execute()
}

export function selectImportedPage(
  read: Select,
  root: FolderKey,
  { from, after, limit }: ImportedPage,
): Promise<ImportedDocument[]> {
  return selectDocuments(read, root)
    .where('source_from', '=', from)
    .where('source_path', '>', after ?? '')
    .orderBy('source_path')
    .limit(limit)
    .execute()
}
