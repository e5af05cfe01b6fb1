import type { ChangedDocument, ImportedDocument, TeamChange } from '../../catalogue/catalogue.ts'
import { QuotaError } from '../../catalogue/quotas.ts'
import { ReplaceError } from '../../content/replace-content.ts'
import { readSmallContent, toStoredJson } from '../../content/stored-json.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import type { ImportResult, OnConflict } from './import-result.ts'
import type { StoredFile } from './prepare-file.ts'

export interface WriteOptions {
  blobs: BlobStore
  onConflict: OnConflict
  force: boolean
}

/**
 * Writes one file, inside a transaction. `current` was read in that transaction, so it includes what other imports and
 * editors have changed since the file was prepared.
 */
export async function writeFile(...input: Parameters<typeof writeWithinQuota>): Promise<ImportResult> {
  try {
    return await writeWithinQuota(...input)
  } catch (error) {
    // Nothing of the file was written; there may be room for smaller files.
    if (!(error instanceof QuotaError)) throw error
    return { path: input[2].source.path, outcome: 'failed', reason: error.message, overQuota: true }
  }
}

async function writeWithinQuota(
  change: TeamChange,
  folder: FolderKey,
  file: StoredFile,
  current: ImportedDocument | undefined,
  { blobs, onConflict, force }: WriteOptions,
): Promise<ImportResult> {
  const { source, document } = file
  const { path } = source
  if (
    current?.sha256 === source.sha256 &&
    !(force && (await isOutdated(change, current, file, onConflict)))
  ) {
    await change.refreshSource(current, source)
    return { path, outcome: 'unchanged', documentId: current.id }
  }
  if (!document)
    return { path, outcome: 'failed', reason: 'another import changed its document: import it again' }
  if (!current) return create(change, folder, file.name, file)
  const wasEdited = current.seq > current.sourceSeq
  if (wasEdited && onConflict === 'keep') return { path, outcome: 'conflict', documentId: current.id }
  if (wasEdited && onConflict === 'copy') {
    await change.checkQuota({ content: document.content, source })
    await change.releaseSource(current.key)
    const copy = await create(change, folder, `${current.name} (imported)`, file)
    return { ...copy, besides: current.id }
  }
  const { content, ...report } = document
  const readContent = () => readSmallContent(blobs, toStoredJson(content))
  return update(change, current, { content, readContent, source }, report)
}

/**
 * Whether the document differs from what an unchanged file is parsed to now. An edited document always differs; it
 * counts as outdated only when edits are to be replaced.
 */
async function isOutdated(
  change: TeamChange,
  { key, seq, sourceSeq }: ImportedDocument,
  { document }: StoredFile,
  onConflict: OnConflict,
): Promise<boolean> {
  if (!document) return false
  const wasEdited = seq > sourceSeq
  return wasEdited ? onConflict === 'replace' : !(await change.hasContent(key, document.content))
}

async function create(change: TeamChange, folder: FolderKey, name: string, { source, document }: StoredFile) {
  const { content, ...report } = document!
  const { id } = await change.createDocument({
    folder,
    name,
    content,
    source,
  })
  return { path: source.path, outcome: 'created' as const, documentId: id, ...report }
}

async function update(
  change: TeamChange,
  { key, id, seq, sourceSeq }: ImportedDocument,
  changed: ChangedDocument,
  report: Omit<NonNullable<StoredFile['document']>, 'content'>,
): Promise<ImportResult> {
  const { path } = changed.source
  try {
    await change.updateDocument(key, changed)
  } catch (error) {
    if (!(error instanceof ReplaceError)) throw error
    return { path, outcome: 'failed', reason: `its document is open for editing: ${error.message}` }
  }
  const replaced = seq > sourceSeq ? { replaced: true as const } : {}
  return { path, outcome: 'updated', documentId: id, ...report, ...replaced }
}
