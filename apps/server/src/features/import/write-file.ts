import type { ImportedDocument, TeamChange } from '../../catalogue/catalogue.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import type { ImportResult } from './import-result.ts'
import type { PreparedFile } from './prepare-file.ts'

/**
 * Writes one file, inside a transaction. `known` was looked up in it, so it is what holds now, whatever another
 * import did since the file was prepared.
 */
export async function writeFile(
  change: TeamChange,
  folder: FolderKey,
  { name, facts, source, document }: PreparedFile,
  known: ImportedDocument | undefined,
): Promise<ImportResult> {
  const { path } = source
  if (known?.sha256 === source.sha256) {
    await change.refreshSource(known.key, source)
    return { path, outcome: 'unchanged', documentId: known.id }
  }
  if (!document)
    return { path, outcome: 'failed', reason: 'another import changed its document: import it again' }
  const { content, notes } = document
  const updatedAt = facts.mtimeMs
  if (known) {
    await change.updateDocument(known.key, { updatedAt, content, source })
    return { path, outcome: 'updated', documentId: known.id, notes }
  }
  const { id } = await change.createDocument({
    folder,
    name,
    createdAt: facts.birthtimeMs,
    updatedAt,
    content,
    source,
  })
  return { path, outcome: 'created', documentId: id, notes }
}
