import type { DocumentId, GraphContent, Visibility } from '@meadow/contract'
import type { Sharing } from '@meadow/contract/web'
import { readTarget } from '../audit/named-rows.ts'
import { recordEvent } from '../audit/record-event.ts'
import { publishChange } from '../content/change-notifications.ts'
import type { PreparedReplacement } from '../content/replace-content.ts'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { Database, Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { storedOrder } from '../platform/database/name-order.ts'
import { foldName, readName } from '../platform/database/names.ts'
import type { DocumentKey, FolderKey, TeamKey } from '../platform/database/tables.ts'
import { readTime, toTimestamp } from '../platform/database/times.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { currentAuthor } from '../team/change-author.ts'
import { discardContent, discardSource, type NewContent } from '../team/content-blobs.ts'
import {
  addChange,
  type CopiedSource,
  type DocumentSource,
  insertDocument,
  insertReferences,
  putContent,
  putFacts,
  replaceReferences,
  sourceColumns,
} from '../team/document-writes.ts'
import { getFolderPath, readFolderPath } from '../team/folders.ts'
import { getIndexedDocument } from '../team/index-changes.ts'
import { checkQuota, sizeOf } from '../team/quotas.ts'
import { raiseVersion, takeTime } from '../team/raise-version.ts'
import type { TeamTransaction, TeamWrite } from '../team/team-transaction.ts'
import { enqueueEvent, type WebhookEvent } from '../team/webhook-events.ts'

export interface NewDocument {
  folder: FolderKey
  name: string
  /** The visibility; by default `private`. */
  visibility?: Visibility | undefined
  /** Milliseconds since 1970, like `updatedAt`. Default: a new time of a change. */
  createdAt?: number | undefined
  updatedAt?: number | undefined
  content: NewContent
  source?: DocumentSource | CopiedSource | undefined
  /** The ids of the objects in Rhino models that the content refers to; each once. */
  references?: readonly string[] | undefined
  /** The document that it is a copy of: its named views are copied. */
  copyOf?: DocumentKey | undefined
}

export interface ChangedDocument {
  /** A time from `takeTimes`; by default a new one. */
  updatedAt?: number | undefined
  content: NewContent
  /** Reads the content without its large values, for documents that have been edited: see `readSmallContent`. */
  readContent: () => Promise<GraphContent>
  /** Holds the content that is replaced, where that is large. */
  blobs: BlobStore
  /**
   * What was made of the contents before the transaction. `needed`: a `TooLargeHereError` is thrown for a document that is
   * too large to be worked on in it. Without it, everything is done in it, as commands do.
   */
  prepared?: PreparedReplacement | 'needed' | undefined
  source: DocumentSource
  references?: readonly string[] | undefined
}

/** Throws a `QuotaError` when the team may not store that much. */
export async function createDocument(
  change: TeamTransaction,
  { folder, name, visibility = 'private', content, source, references, copyOf, ...times }: NewDocument,
): Promise<{ key: DocumentKey; id: DocumentId }> {
  const { write, team, index, database } = change
  await checkQuota(change, { content, source })
  const id = createPublicId('doc')
  const nameFolded = foldName(name)
  const folders = await foldersAbove(change, folder)
  const updatedAt = readTime(times.updatedAt ?? (await takeTime(write, team)))
  const seq = 1
  const imported = source?.root ? source : undefined
  const author = currentAuthor({ isImport: imported !== undefined })
  const key = await insertDocument(write, database.dialect, {
    public_id: id,
    team_id: team,
    folder_id: folder,
    name: readName(name),
    name_folded: nameFolded,
    name_order: storedOrder(name),
    visibility,
    created_at: readTime(times.createdAt ?? updatedAt),
    created_by: author.user ?? null,
    updated_at: updatedAt,
    seq,
    ...sourceColumns(source),
    content_bytes: sizeOf(content),
    source_seq: imported ? seq : null,
  })
  await putContent(write, key, content, { seq, at: updatedAt, author })
  if (source?.facts) await putFacts(write, key, source.facts)
  await insertReferences(write, key, references)
  if (copyOf !== undefined) await copyViews(write, copyOf, key)
  index.add({ id: key, publicId: id, team, folders, nameFolded, updatedAt })
  enqueueEvent(write, describeWrite(team, key, 'created', imported))
  return { key, id }
}

/**
 * Replaces the content of an imported document, which keeps its id, name, folder and visibility. Edits made by people
 * are replaced too, and open editors show the change. Throws a `ReplaceError` when the content cannot be edited, or a
 * `QuotaError`.
 */
export async function updateDocument(
  change: TeamTransaction,
  key: DocumentKey,
  changed: ChangedDocument,
): Promise<void> {
  const { write, team, index, database } = change
  const { content, source, references } = changed
  const document = await getDocument(write, team, key)
  await checkQuota(change, { content, source }, key)
  const replacement = await keepAndCompare(write, key, changed, document.file !== source.blob)
  const isSame = replacement?.length === 0
  const updatedAt = changed.updatedAt ?? (await takeTime(write, team))
  await discardContent(write, key)
  await discardSource(write, key)
  const seq = isSame ? document.seq : document.seq + 1
  // The size of a document with a log is set when the log is compacted.
  const content_bytes = replacement ? undefined : sizeOf(content)
  await write
    .updateTable('document')
    .set({
      updated_at: updatedAt,
      seq,
      ...sourceColumns(source),
      source_gone: null,
      content_bytes,
      source_seq: seq,
    })
    .where('id', '=', key)
    .execute()
  const author = currentAuthor({ isImport: true })
  if (replacement && !isSame)
    await addChange(write, { document: key, seq, change: replacement, at: updatedAt, author })
  else if (!replacement) await putContent(write, key, content, { seq, at: updatedAt, author })
  if (source.facts) await putFacts(write, key, source.facts)
  await replaceReferences(write, key, references)
  await publishChange(database, write, key, seq)
  const before = { ...document, team, folders: await foldersAbove(change, document.folder) }
  index.replace(before, { ...before, updatedAt })
  enqueueEvent(write, describeWrite(team, key, 'updated', source))
}

/**
 * Keeps a version of the content that is about to be replaced, and resolves to the change of the log that makes it the new
 * one: empty when nothing differs, undefined for a document without a log.
 */
async function keepAndCompare(
  write: Write,
  key: DocumentKey,
  { content, readContent, blobs, prepared }: ChangedDocument,
  isOtherFile: boolean,
): Promise<Uint8Array | undefined> {
  // The import is dynamic, so that commands that replace no content start without Yjs.
  const [
    { findReplacement, UNCHANGED_GRAPH, usePrepared },
    { keepVersionsIn },
    { createHistoryWork, createSmallHistoryWork, MAX_HERE_BYTES },
  ] = await Promise.all([
    import('../content/replace-content.ts'),
    import('../content/history/keep-versions.ts'),
    import('../content/history/history-work.ts'),
  ])
  const history = prepared ? createSmallHistoryWork(blobs) : createHistoryWork(blobs)
  await keepVersionsIn(write, history, key, 'import')
  const found =
    typeof prepared === 'object'
      ? await usePrepared(write, key, prepared)
      : await findReplacement(write, key, {
          readContent,
          contentBytes: sizeOf(content),
          maxBytes: prepared === 'needed' ? MAX_HERE_BYTES : Number.POSITIVE_INFINITY,
        })
  return found?.length === 0 && isOtherFile ? UNCHANGED_GRAPH : found
}

/** Whether the stored content is the same, byte for byte. */
export async function hasContent(
  { write }: TeamWrite,
  key: DocumentKey,
  content: NewContent,
): Promise<boolean> {
  const stored = await write
    .selectFrom('document_snapshot')
    .where('document_id', '=', key)
    .where('format', '=', 'json')
    .select(['content', 'blob'])
    .executeTakeFirst()
  return content.kind === 'blob'
    ? stored?.blob === content.digest
    : stored?.content != null && Buffer.compare(stored.content, content.bytes) === 0
}

/** Returns the event that webhooks get for a document that was written. */
function describeWrite(
  team: TeamKey,
  document: DocumentKey,
  outcome: 'created' | 'updated' = 'updated',
  source?: DocumentSource,
): WebhookEvent {
  if (!source) return { type: 'document.changed', team, document }
  const fileName = source.path.slice(source.path.lastIndexOf('/') + 1)
  return { type: 'document.imported', team, document, import: { outcome, fileName } }
}

const foundFolders = new WeakMap<TeamTransaction, Map<FolderKey, FolderKey[]>>()

/** Finds the keys of a folder and its ancestors, with one query for each folder of a transaction. */
async function foldersAbove(change: TeamTransaction, folder: FolderKey): Promise<FolderKey[]> {
  const found = foundFolders.get(change) ?? new Map<FolderKey, FolderKey[]>()
  foundFolders.set(change, found)
  const folders = found.get(folder) ?? readFolderPath(await getFolderPath(change.write, change.team, folder))
  found.set(folder, folders)
  return folders
}

/** Copies the named views of a document, with ids of their own. */
async function copyViews(write: Write, from: DocumentKey, to: DocumentKey): Promise<void> {
  const views = await write
    .selectFrom('named_view')
    .where('document_id', '=', from)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .select(['name', 'place'])
    .execute()
  const columns = { document_id: to, deleted_at: null }
  const rows = views.map((view) => ({ ...view, ...columns, public_id: createPublicId('viw') }))
  if (rows.length > 0) await write.insertInto('named_view').values(rows).execute()
}

/** Throws when the team has no such document. */
async function getDocument(write: Write, team: TeamKey, key: DocumentKey) {
  const document = await write
    .selectFrom('document')
    .where('id', '=', key)
    .where('team_id', '=', team)
    .where('bin_id', 'is', null)
    .select([
      'id',
      'public_id as publicId',
      'folder_id as folder',
      'name_folded as nameFolded',
      'updated_at as updatedAt',
      'seq',
      'source_blob as file',
    ])
    .executeTakeFirst()
  if (!document) throw new Error(`The team ${team} has no document ${key}.`)
  return document
}

/** Another name is a change of the document, and another folder is not (decision 43). */
export async function renameDocument(
  { write, team, index }: TeamTransaction,
  document: DocumentKey,
  name: string,
): Promise<void> {
  const before = await getIndexedDocument(write, team, document)
  const nameFolded = foldName(name)
  const updatedAt = await takeTime(write, team)
  await write
    .updateTable('document')
    .set({
      name: readName(name),
      name_folded: nameFolded,
      name_order: storedOrder(name),
      updated_at: updatedAt,
    })
    .where('id', '=', document)
    .execute()
  index.replace(before, { ...before, nameFolded, updatedAt })
  enqueueEvent(write, describeWrite(team, document))
}

export async function moveDocument(
  { write, team, index }: TeamTransaction,
  document: DocumentKey,
  folder: FolderKey,
): Promise<void> {
  const before = await getIndexedDocument(write, team, document)
  const folders = readFolderPath(await getFolderPath(write, team, folder))
  await write.updateTable('document').set({ folder_id: folder }).where('id', '=', document).execute()
  index.replace(before, { ...before, folders })
}

/**
 * `until`: when a shared document becomes private again, in milliseconds since 1970; undefined for what the team allows
 * at most. Throws a {@link PublicDocumentError} when the team does not allow it.
 */
export async function setVisibility(
  { write, team, record }: TeamTransaction,
  document: DocumentKey,
  visibility: Sharing,
  until?: number,
): Promise<void> {
  await getIndexedDocument(write, team, document)
  const public_until = visibility === 'private' ? null : await getPublicEnd(write, team, until)
  await write
    .updateTable('document')
    .set({
      visibility: visibility === 'public' ? 'public' : 'private',
      shares_player: visibility === 'player' ? 1 : 0,
      public_until,
    })
    .where('id', '=', document)
    .execute()
  const target = await readTarget(write, { kind: 'document', key: document })
  record({
    action: 'document.visibility_changed',
    target,
    details: { to: visibility, ...(public_until !== null && { until: toTimestamp(public_until) }) },
  })
}

/** The team does not allow its documents to be public, or not for that long. */
export class PublicDocumentError extends Error {
  readonly code: 'public_not_allowed' | 'public_end_not_acceptable'
  constructor(code: PublicDocumentError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const DAY_MS = 86_400_000

/** Returns when a document that is shared now becomes private; null for no end. */
async function getPublicEnd(write: Write, team: TeamKey, until: number | undefined): Promise<number | null> {
  const { isAllowed, days } = await write
    .selectFrom('team')
    .where('id', '=', team)
    .select(['public_documents as isAllowed', 'public_days as days'])
    .executeTakeFirstOrThrow()
  if (isAllowed === 0)
    throw new PublicDocumentError('public_not_allowed', 'The team does not allow public documents.')
  const now = timeOf(write)
  const latest = days === null ? null : now + days * DAY_MS
  if (until === undefined) return latest
  // A day more: people choose a day, and it ends where they are.
  if (until <= now || (latest !== null && until > latest + DAY_MS))
    throw new PublicDocumentError(
      'public_end_not_acceptable',
      `The end must be in the future${days === null ? '' : `, and at most ${days} days from now`}.`,
    )
  return until
}

/** Makes documents private whose time as shared ones is over; returns how many there were. */
export const endPublicDocuments = (database: Pick<Database, 'transaction'>, now: number): Promise<number> =>
  database.transaction(async (write) => {
    const over = await write
      .selectFrom('document')
      .where('public_until', '<=', now)
      .orderBy('team_id')
      .limit(ENDED_AT_ONCE)
      .select(['id', 'public_id', 'name', 'team_id as team'])
      .execute()
    for (const team of new Set(over.map(({ team }) => team))) await raiseVersion(write, team)
    for (const { id, public_id, name, team } of over) {
      await write
        .updateTable('document')
        .set({ visibility: 'private', shares_player: 0, public_until: null })
        .where('id', '=', id)
        .where('public_until', '<=', now)
        .execute()
      const target = { kind: 'document', id: public_id, name }
      recordEvent(write, { action: 'document.visibility_changed', team, target, details: { to: 'private' } })
    }
    return over.length
  })

const ENDED_AT_ONCE = 200
