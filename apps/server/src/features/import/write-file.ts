import { ReplaceError } from '../../content/replace-content.ts'
import { readSmallContent, toStoredJson } from '../../content/stored-json.ts'
import { restoreFromBin } from '../../library/bin.ts'
import {
  createDocument,
  hasContent,
  moveDocument,
  renameDocument,
  updateDocument,
} from '../../library/documents.ts'
import type { ImportedDocument, ImportedItem } from '../../library/imported.ts'
import { moveSource, refreshSource, releaseSource } from '../../library/sources.ts'
import {
  createFile,
  hasFacts,
  moveFile,
  renameFile,
  type TeamFileContent,
  updateFile,
} from '../../library/team-files.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { cleanName } from '../../platform/database/names.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import { FilingError } from '../../team/folders.ts'
import { checkQuota, QuotaError } from '../../team/quotas.ts'
import type { TeamTransaction } from '../../team/team-transaction.ts'
import { type ImportResult, idOf, type OnConflict } from './import-result.ts'
import { nameOf } from './match-moves.ts'
import { isInBin } from './plan-import.ts'
import type { StoredDocument, StoredFile } from './prepare-file.ts'
import { type ImportKind, withoutExtension } from './walk-files.ts'

export interface WriteOptions {
  blobs: BlobStore
  onConflict: OnConflict
  force: boolean
}

/** The folder in which a file is written, and the time. */
export interface WritePlace {
  /** The team's folder for the file's folder on the disk. */
  folder: FolderKey
  /** The time of the change. */
  at: number
}

/**
 * Writes one file, inside a transaction. `current` was read in that transaction, so it includes what other imports and
 * editors have changed since the file was prepared.
 */
export async function writeFile(...input: Parameters<typeof writeWithinQuota>): Promise<ImportResult> {
  const { path } = input[2].source
  try {
    return await writeWithinQuota(...input)
  } catch (error) {
    // Nothing of the file was written; there may be room for smaller files.
    if (error instanceof QuotaError)
      return { path, outcome: 'failed', reason: error.message, overQuota: true }
    if (error instanceof FilingError)
      return { path, outcome: 'failed', reason: 'its folder was deleted meanwhile: import it again' }
    throw error
  }
}

async function writeWithinQuota(
  change: TeamTransaction,
  place: WritePlace,
  file: StoredFile,
  current: ImportedItem | undefined,
  options: WriteOptions,
): Promise<ImportResult> {
  const { source, content } = file
  const { path } = source
  const movedFrom = current && current.path !== path ? current.path : undefined
  if (current && isInBin(current)) {
    if (movedFrom !== undefined) await moveSource(change, current, source)
    return { path, outcome: 'binned', ...idOf(current), ...(movedFrom !== undefined && { movedFrom }) }
  }
  const restored = current ? await takeOut(change, current) : {}
  const moved = current && movedFrom !== undefined ? await move(change, place, file, current) : {}
  if (current?.sha256 === source.sha256 && !(await isOutdated(change, current, file, options))) {
    // Only with `force` is the content known to be that of the facts.
    await refreshSource(change, current, options.force ? source : { ...source, facts: undefined })
    return movedFrom === undefined
      ? { path, outcome: 'unchanged', ...idOf(current), ...restored }
      : { path, outcome: 'moved', ...idOf(current), movedFrom, ...restored }
  }
  if (!content)
    return { path, outcome: 'failed', reason: 'another import changed its document: import it again' }
  return content.kind === 'document'
    ? { ...(await writeDocument(change, place, file, content, current, options)), ...moved, ...restored }
    : { ...(await writeTeamFile(change, place, file, content.file, current)), ...moved, ...restored }
}

/** Takes what belongs to the file out of the bin, where an import put it when the file was gone. */
async function takeOut(change: TeamTransaction, { bin }: ImportedItem): Promise<{ restored?: true }> {
  if (bin === null) return {}
  await restoreFromBin(change, bin)
  return { restored: true }
}

/**
 * What belongs to the file follows it: to its folder, unless a person has moved it to another one, and to its name, unless
 * a person has given it another one.
 */
async function move(
  change: TeamTransaction,
  { folder }: WritePlace,
  { source, name, followsFolder }: StoredFile,
  item: ImportedItem,
): Promise<{ movedFrom: string }> {
  const before = nameOf(item.path)
  const isNamedByFile = [before, withoutExtension(before)].map(cleanName).includes(item.name)
  const isRenamed = isNamedByFile && nameOf(source.path) !== before && item.name !== name
  const isMoved = followsFolder === true && item.folder !== folder
  if (item.kind === 'document') {
    if (isMoved) await moveDocument(change, item.key, folder)
    if (isRenamed) await renameDocument(change, item.key, name)
  } else {
    if (isMoved) await moveFile(change, item.key, folder)
    if (isRenamed) await renameFile(change, item.key, name)
  }
  await moveSource(change, item, source)
  return { movedFrom: item.path }
}

/**
 * Whether what belongs to an unchanged file differs from what the file is parsed to now. An edited document always
 * differs; it counts as outdated only when edits are to be replaced.
 */
async function isOutdated(
  change: TeamTransaction,
  item: ImportedItem,
  { content }: StoredFile,
  { force, onConflict }: WriteOptions,
): Promise<boolean> {
  if (!force || !content) return false
  if (content.kind === 'file')
    return item.kind !== 'document' && !(await hasFacts(change, item.key, content.file.facts))
  if (item.kind !== 'document') return false
  return isEdited(item) ? onConflict === 'replace' : !(await hasContent(change, item.key, content.content))
}

const isEdited = ({ seq, sourceSeq }: ImportedDocument): boolean => seq > sourceSeq

async function writeDocument(
  change: TeamTransaction,
  place: WritePlace,
  file: StoredFile,
  document: StoredDocument,
  current: ImportedItem | undefined,
  { blobs, onConflict }: WriteOptions,
): Promise<ImportResult> {
  const { source, name } = file
  const { path } = source
  if (current?.kind !== 'document') return createFrom(change, place, name, file, document)
  const wasEdited = isEdited(current)
  if (wasEdited && onConflict === 'keep') return { path, outcome: 'conflict', documentId: current.id }
  if (wasEdited && onConflict === 'copy') {
    await checkQuota(change, { content: document.content, source })
    await releaseSource(change, current.key)
    const copy = await createFrom(change, place, `${current.name} (imported)`, file, document)
    return { ...copy, besides: current.id }
  }
  const { content, references, report } = document
  const readContent = () => readSmallContent(blobs, toStoredJson(content))
  try {
    const changed = { updatedAt: place.at, content, references, readContent, blobs, source }
    await updateDocument(change, current.key, changed)
  } catch (error) {
    if (!(error instanceof ReplaceError)) throw error
    return { path, outcome: 'failed', reason: `its document is open for editing: ${error.message}` }
  }
  const replaced = wasEdited ? { replaced: true as const } : {}
  return { path, outcome: 'updated', documentId: current.id, ...report, ...replaced }
}

async function createFrom(
  change: TeamTransaction,
  { folder, at }: WritePlace,
  name: string,
  { source }: StoredFile,
  { content, references, report }: StoredDocument,
) {
  const times = { createdAt: at, updatedAt: at }
  const { id } = await createDocument(change, { folder, name, ...times, content, references, source })
  return { path: source.path, outcome: 'created' as const, documentId: id, ...report }
}

/** Files other than definitions cannot be edited here, and nothing of them is solved. */
const NO_REPORT = { notes: [], unsolvable: [] }

async function writeTeamFile(
  change: TeamTransaction,
  { folder, at }: WritePlace,
  { source, name, file: { fileKind } }: StoredFile,
  content: TeamFileContent,
  current: ImportedItem | undefined,
): Promise<ImportResult> {
  const { path } = source
  if (current && current.kind !== 'document') {
    await updateFile(change, current.key, { ...content, source, at })
    return { path, outcome: 'updated', fileId: current.id, ...NO_REPORT }
  }
  const kind = fileKind as Exclude<ImportKind, 'definition'>
  const { id } = await createFile(change, { folder, name, kind, source, at, ...content })
  return { path, outcome: 'created', fileId: id, ...NO_REPORT }
}
