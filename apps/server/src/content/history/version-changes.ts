import type { UserId } from '@meadow/contract'
import { readTarget } from '../../audit/named-rows.ts'
import type { Write } from '../../platform/database/database.ts'
import type { DocumentKey, VersionKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { currentAuthor } from '../../team/change-author.ts'
import { discardContent, discardSource } from '../../team/content-blobs.ts'
import { addChange, putContent, putFacts, replaceReferences } from '../../team/document-writes.ts'
import { getIndexedDocument } from '../../team/index-changes.ts'
import { takeTime } from '../../team/raise-version.ts'
import type { TeamTransaction, TeamWrite } from '../../team/team-transaction.ts'
import { enqueueEvent } from '../../team/webhook-events.ts'
import { publishChange } from '../change-notifications.ts'
import type { HistoryWork, RestoredText } from './history-work.ts'
import type { VersionSource } from './versions.store.ts'

export interface RestoredVersion {
  version: VersionKey
  /** What was made of the version's text, for the document as of `seq`. */
  prepared: RestoredText
  seq: number
  /** Whether the document had a log then. */
  isLive: boolean
  source: VersionSource | undefined
  /** Whether the content is changed here, as a change of the log; otherwise the caller edits the document. */
  isApplied: boolean
  /** Keeps the content that is replaced, if it is not kept yet and small. */
  history: Pick<HistoryWork, 'encode' | 'project'>
}

const find = ({ write, team }: TeamWrite, version: VersionKey) =>
  write
    .selectFrom('document_version')
    .where('id', '=', version)
    .where('team_id', '=', team)
    .select(['document_id as document', 'public_id as id', 'at', 'name', 'is_pinned'])
    .executeTakeFirst()

type Found = NonNullable<Awaited<ReturnType<typeof find>>>

async function recordVersion(
  { write, record }: TeamTransaction,
  action: `version.${'named' | 'pinned' | 'unpinned' | 'restored' | 'deleted'}`,
  { document, id, at, name }: Omit<Found, 'is_pinned'>,
): Promise<void> {
  const target = await readTarget(write, { kind: 'document', key: document })
  record({ action, target, details: { version: id, of: toTimestamp(at), name } })
}

async function setSource(
  write: Write,
  document: DocumentKey,
  source: VersionSource,
  references: readonly string[],
) {
  await discardSource(write, document)
  await write
    .updateTable('document')
    .set({
      source_blob: source.blob,
      source_reading: source.reading,
      source_facts: source.facts?.digest ?? null,
      source_created: source.created,
      source_modified: source.modified,
    })
    .where('id', '=', document)
    .execute()
  await write.deleteFrom('document_facts').where('document_id', '=', document).execute()
  if (source.facts) await putFacts(write, document, source.facts)
  await replaceReferences(write, document, references)
}

/**
 * Writes the content of a version as a change of the log. Where the caller edits the document, only that it has another
 * imported file, and only if its graph is that of the version already: a file has a position in the log too.
 */
async function apply(
  { write, team, index, database }: TeamTransaction,
  document: DocumentKey,
  { prepared, isApplied }: Pick<RestoredVersion, 'prepared' | 'isApplied'>,
  isOtherFile: boolean,
): Promise<void> {
  const before = await getIndexedDocument(write, team, document)
  const { seq } = await write
    .selectFrom('document')
    .where('id', '=', document)
    .select('seq')
    .executeTakeFirstOrThrow()
  const { ReplaceError, UNCHANGED_GRAPH } = await import('../replace-content.ts')
  const { edit } = prepared
  if (edit && 'refused' in edit) throw new ReplaceError(edit.refused)
  const isSame = edit?.length === 0
  if (isSame ? !isOtherFile : !isApplied) return
  const change = isSame ? UNCHANGED_GRAPH : edit
  const at = await takeTime(write, team)
  const made = { seq: seq + 1, at, author: currentAuthor({ isImport: false }) }
  if (change) await addChange(write, { document, change, ...made })
  else {
    await discardContent(write, document)
    await putContent(write, document, prepared.content!, made)
  }
  await write
    .updateTable('document')
    .set({ seq: made.seq, updated_at: at })
    .where('id', '=', document)
    .execute()
  await publishChange(database, write, document, made.seq)
  index.replace(before, { ...before, updatedAt: at })
  enqueueEvent(write, { type: 'document.changed', team, document })
}

/** Names a version, or removes its name if `name` is null; false when the version was removed. */
export async function nameVersion(
  change: TeamTransaction,
  version: VersionKey,
  name: string | null,
  by: UserId | null,
): Promise<boolean> {
  const { write, team } = change
  const found = await find(change, version)
  if (!found) return false
  if (found.name === name) return true
  await write
    .updateTable('document_version')
    .set({ name, named_by: name === null ? null : by })
    .where('id', '=', version)
    .execute()
  await recordVersion(change, 'version.named', { ...found, name })
  if (name !== null) {
    const named = { document: found.document, version: { id: found.id, name } }
    enqueueEvent(write, { type: 'document.version_named', team, ...named })
  }
  return true
}

export async function pinVersion(
  change: TeamTransaction,
  version: VersionKey,
  isPinned: boolean,
): Promise<boolean> {
  const { write } = change
  const found = await find(change, version)
  if (!found) return false
  if ((found.is_pinned === 1) === isPinned) return true
  await write
    .updateTable('document_version')
    .set({ is_pinned: isPinned ? 1 : 0 })
    .where('id', '=', version)
    .execute()
  await recordVersion(change, isPinned ? 'version.pinned' : 'version.unpinned', found)
  return true
}

export async function removeVersion(change: TeamTransaction, version: VersionKey): Promise<boolean> {
  const { write } = change
  const found = await find(change, version)
  if (!found) return false
  await recordVersion(change, 'version.deleted', found)
  const { deleteVersions } = await import('./versions.store.ts')
  await deleteVersions(write, found.document, [version])
  return true
}

/**
 * Gives a document the content of a version and, where that differs, its imported file. The document as it was is kept as
 * a version before. Throws a `ReplaceError` when the content cannot be edited.
 */
export async function writeRestoredVersion(
  change: TeamTransaction,
  document: DocumentKey,
  restored: RestoredVersion,
): Promise<void> {
  const { write, team } = change
  const { version, prepared, source, isApplied, history } = restored
  const found = await find(change, version)
  if (!found) throw new Error(`The team ${team} has no version ${version}.`)
  // The imports are dynamic, so that commands that replace no content start without Yjs.
  const [{ keepVersionsIn }, { findHead, OutdatedError }, { addValues }] = await Promise.all([
    import('./keep-versions.ts'),
    import('../replace-content.ts'),
    import('../document-values.ts'),
  ])
  await keepVersionsIn(write, history, document, 'restore')
  const now = await write
    .selectFrom('document')
    .where('id', '=', document)
    .where('team_id', '=', team)
    .select(['source_blob as blob', 'source_facts as facts', 'source_reading as reading'])
    .executeTakeFirstOrThrow()
  const head = await findHead(write, document)
  if (head?.seq !== restored.seq || head.isLive !== restored.isLive)
    throw new OutdatedError('The document was edited meanwhile.')
  const isOtherFile = source !== undefined && !isSameSource(source, now)
  if (isOtherFile) await setSource(write, document, source, prepared.objects)
  await addValues(write, document, prepared.values)
  if (isApplied || isOtherFile) await apply(change, document, restored, isOtherFile)
  await recordVersion(change, 'version.restored', found)
}

/** Whether a document has the imported file of a version, read in the same way. */
export const isSameSource = (
  source: VersionSource,
  now: { blob: string | null; facts: string | null; reading: number | null },
): boolean =>
  source.blob === now.blob && (source.facts?.digest ?? null) === now.facts && source.reading === now.reading
