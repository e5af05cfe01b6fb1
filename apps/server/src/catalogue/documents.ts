import type { DocumentId, GraphContent, Visibility } from '@meadow/contract'
import { findReplacement } from '../content/replace-content.ts'
import type { Write } from '../platform/database/database.ts'
import { inBatches } from '../platform/database/in-batches.ts'
import { foldName, readName } from '../platform/database/names.ts'
import type { DocumentKey, FolderKey, TeamKey } from '../platform/database/tables.ts'
import { readTime } from '../platform/database/times.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { discardContent, discardSource, type NewContent } from '../team-writes/content-blobs.ts'
import { type DocumentSource, type DocumentWrites, sourceColumns } from '../team-writes/document-writes.ts'
import { getFolderPath, readFolderPath } from '../team-writes/folder-path.ts'
import { getIndexedDocument, type IndexChanges } from '../team-writes/index-changes.ts'
import { takeTime } from '../team-writes/raise-version.ts'
import { checkQuota, type StoredParts, sizeOf } from './quotas.ts'

export interface DocumentChanges {
  /** Throws a `QuotaError` when the team may not store that much. */
  createDocument(document: NewDocument): Promise<{ key: DocumentKey; id: DocumentId }>
  /**
   * Replaces the content of an imported document, which keeps its id, name, folder and visibility. Edits made by people
   * are replaced too, and open editors show the change. Throws a `ReplaceError` when the content cannot be edited, or a
   * `QuotaError`.
   */
  updateDocument(document: DocumentKey, change: ChangedDocument): Promise<void>
  /** Throws a `QuotaError` when the quota has no room for another document of this size. */
  checkQuota(document: StoredParts): Promise<void>
  /** Whether the stored content is the same, byte for byte. */
  hasContent(document: DocumentKey, content: NewContent): Promise<boolean>
}

export interface NewDocument {
  folder: FolderKey
  name: string
  /** Default: `private`. */
  visibility?: Visibility | undefined
  /** Milliseconds since 1970, like `updatedAt`. Default: a new time of a change. */
  createdAt?: number | undefined
  updatedAt?: number | undefined
  content: NewContent
  source?: DocumentSource | undefined
  /** The ids of the objects in Rhino models that the content refers to; each once. */
  references?: readonly string[] | undefined
}

export interface ChangedDocument {
  /** From `takeTimes`; default: a new one. */
  updatedAt?: number | undefined
  content: NewContent
  /** Reads the content without its large values, for documents that have been edited: see `readSmallContent`. */
  readContent: () => Promise<GraphContent>
  source: DocumentSource
  references?: readonly string[] | undefined
}

export function createDocumentChanges(
  write: Write,
  team: TeamKey,
  writes: DocumentWrites,
  index: IndexChanges,
  publish: (document: DocumentKey, seq: number) => Promise<void>,
): DocumentChanges {
  const foldersAbove = createFoldersAbove(write, team)
  return {
    async createDocument({ folder, name, visibility = 'private', content, source, references, ...times }) {
      await checkQuota(write, team, { content, source })
      const id = createPublicId('doc')
      const nameFolded = foldName(name)
      const folders = await foldersAbove(folder)
      const updatedAt = readTime(times.updatedAt ?? (await takeTime(write, team)))
      const seq = 1
      const key = await writes.insert(write, {
        public_id: id,
        team_id: team,
        folder_id: folder,
        name: readName(name),
        name_folded: nameFolded,
        visibility,
        created_at: readTime(times.createdAt ?? updatedAt),
        updated_at: updatedAt,
        seq,
        ...sourceColumns(source),
        content_bytes: sizeOf(content),
        source_seq: source ? seq : null,
      })
      await writes.putContent(write, key, seq, content)
      if (source?.facts) await writes.putFacts(write, key, source.facts)
      await insertReferences(write, key, references)
      index.add({ id: key, publicId: id, team, folders, nameFolded, updatedAt })
      return { key, id }
    },

    async updateDocument(key, { content, readContent, source, references, ...times }) {
      const document = await getDocument(write, team, key)
      await checkQuota(write, team, { content, source }, key)
      const replacement = await findReplacement(write, key, readContent)
      const isSame = replacement?.length === 0
      const updatedAt = times.updatedAt ?? (await takeTime(write, team))
      await discardContent(write, key)
      await discardSource(write, key)
      const seq = isSame ? document.seq : document.seq + 1
      // With a log, the size is set when the log is compacted.
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
      if (replacement && !isSame)
        await writes.addChange(write, { document: key, seq, change: replacement, at: Date.now() })
      else if (!replacement) await writes.putContent(write, key, seq, content)
      if (source.facts) await writes.putFacts(write, key, source.facts)
      await write.deleteFrom('document_reference').where('document_id', '=', key).execute()
      await insertReferences(write, key, references)
      await publish(key, seq)
      const before = { ...document, team, folders: await foldersAbove(document.folder) }
      index.replace(before, { ...before, updatedAt })
    },

    checkQuota: (parts) => checkQuota(write, team, parts),

    async hasContent(key, content) {
      const stored = await write
        .selectFrom('document_snapshot')
        .where('document_id', '=', key)
        .where('format', '=', 'json')
        .select(['content', 'blob'])
        .executeTakeFirst()
      return content.kind === 'blob'
        ? stored?.blob === content.digest
        : stored?.content != null && Buffer.compare(stored.content, content.bytes) === 0
    },
  }
}

async function insertReferences(
  write: Write,
  document: DocumentKey,
  references: readonly string[] = [],
): Promise<void> {
  for (const portion of inBatches(references)) {
    const rows = portion.map((object_id) => ({ document_id: document, object_id }))
    await write.insertInto('document_reference').values(rows).execute()
  }
}

/** Finds the keys of a folder and its ancestors, with one query for each folder. */
function createFoldersAbove(write: Write, team: TeamKey) {
  const cached = new Map<FolderKey, FolderKey[]>()
  return async (folder: FolderKey): Promise<FolderKey[]> => {
    const folders = cached.get(folder) ?? readFolderPath(await getFolderPath(write, team, folder))
    cached.set(folder, folders)
    return folders
  }
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
    ])
    .executeTakeFirst()
  if (!document) throw new Error(`The team ${team} has no document ${key}.`)
  return document
}

/** Names and folders of documents. Another name is a change of the document, another folder is not (decision 43). */
export interface FilingChanges {
  renameDocument(document: DocumentKey, name: string): Promise<void>
  moveDocument(document: DocumentKey, folder: FolderKey): Promise<void>
  setVisibility(document: DocumentKey, visibility: Visibility): Promise<void>
}

export function createFilingChanges(write: Write, team: TeamKey, index: IndexChanges): FilingChanges {
  return {
    async renameDocument(document, name) {
      const before = await getIndexedDocument(write, team, document)
      const nameFolded = foldName(name)
      const updatedAt = await takeTime(write, team)
      await write
        .updateTable('document')
        .set({ name: readName(name), name_folded: nameFolded, updated_at: updatedAt })
        .where('id', '=', document)
        .execute()
      index.replace(before, { ...before, nameFolded, updatedAt })
    },
    async moveDocument(document, folder) {
      const before = await getIndexedDocument(write, team, document)
      const folders = readFolderPath(await getFolderPath(write, team, folder))
      await write.updateTable('document').set({ folder_id: folder }).where('id', '=', document).execute()
      index.replace(before, { ...before, folders })
    },
    async setVisibility(document, visibility) {
      await getIndexedDocument(write, team, document)
      await write.updateTable('document').set({ visibility }).where('id', '=', document).execute()
    },
  }
}
