import type { Note } from '@meadow/grasshopper'
import type { ChangedDocument, ImportedDocument, TeamChange } from '../../catalogue/catalogue.ts'
import { QuotaError } from '../../catalogue/quotas.ts'
import { ReplaceError } from '../../content/replace-content.ts'
import { readSmallContent, toStoredJson } from '../../content/stored-json.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import type { ImportResult } from './import-result.ts'
import type { KeptFile } from './keep-file.ts'
import type { OnConflict } from './on-conflict.ts'

export interface WriteTerms {
  blobs: BlobStore
  onConflict: OnConflict
  force: boolean
}

/**
 * Writes one file, inside a transaction. `known` was looked up in it, so it is what holds now, whatever another
 * import or an editor did since the file was prepared.
 */
export async function writeFile(...given: Parameters<typeof writeUnlessFull>): Promise<ImportResult> {
  try {
    return await writeUnlessFull(...given)
  } catch (error) {
    // Nothing of the file was written; smaller ones may still have room.
    if (!(error instanceof QuotaError)) throw error
    return { path: given[2].source.path, outcome: 'failed', reason: error.message, overQuota: true }
  }
}

async function writeUnlessFull(
  change: TeamChange,
  folder: FolderKey,
  file: KeptFile,
  known: ImportedDocument | undefined,
  { blobs, onConflict, force }: WriteTerms,
): Promise<ImportResult> {
  const { facts, source, document } = file
  const { path } = source
  if (known?.sha256 === source.sha256 && !(force && (await isOutdated(change, known, file, onConflict)))) {
    await change.refreshSource(known.key, source)
    return { path, outcome: 'unchanged', documentId: known.id }
  }
  if (!document)
    return { path, outcome: 'failed', reason: 'another import changed its document: import it again' }
  if (!known) return create(change, folder, file.name, file)
  const wasEdited = known.seq > known.sourceSeq
  if (wasEdited && onConflict === 'keep') return { path, outcome: 'conflict', documentId: known.id }
  if (wasEdited && onConflict === 'copy') {
    await change.checkQuota({ content: document.content, source })
    await change.releaseSource(known.key)
    const copy = await create(change, folder, `${known.name} (imported)`, file)
    return { ...copy, besides: known.id }
  }
  const { content, notes } = document
  const readContent = () => readSmallContent(blobs, toStoredJson(content))
  return update(change, known, { updatedAt: facts.mtimeMs, content, readContent, source }, notes)
}

/**
 * Whether the document of a file that did not change is other than what the file is read as now. One that people have
 * edited is so only where that makes way: nothing came to it from the file.
 */
async function isOutdated(
  change: TeamChange,
  { key, seq, sourceSeq }: ImportedDocument,
  { document }: KeptFile,
  onConflict: OnConflict,
): Promise<boolean> {
  if (!document) return false
  const wasEdited = seq > sourceSeq
  return wasEdited ? onConflict === 'replace' : !(await change.hasContent(key, document.content))
}

async function create(
  change: TeamChange,
  folder: FolderKey,
  name: string,
  { facts, source, document }: KeptFile,
) {
  const { content, notes } = document!
  const { id } = await change.createDocument({
    folder,
    name,
    createdAt: facts.birthtimeMs,
    updatedAt: facts.mtimeMs,
    content,
    source,
  })
  return { path: source.path, outcome: 'created' as const, documentId: id, notes }
}

async function update(
  change: TeamChange,
  { key, id, seq, sourceSeq }: ImportedDocument,
  changed: ChangedDocument,
  notes: readonly Note[],
): Promise<ImportResult> {
  const { path } = changed.source
  try {
    await change.updateDocument(key, changed)
  } catch (error) {
    if (!(error instanceof ReplaceError)) throw error
    return { path, outcome: 'failed', reason: `its document is open for editing: ${error.message}` }
  }
  const replaced = seq > sourceSeq ? { replaced: true as const } : {}
  return { path, outcome: 'updated', documentId: id, notes, ...replaced }
}
