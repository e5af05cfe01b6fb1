import { findReplacement } from '../content/replace-live.ts'
import type { Write } from '../platform/database/database.ts'
import { foldName } from '../platform/database/fold-name.ts'
import { readName } from '../platform/database/names.ts'
import type { DocumentKey, FolderKey, TeamKey } from '../platform/database/tables.ts'
import { readTime } from '../platform/database/times.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { discardContent, discardSource } from '../team-writes/discard-blobs.ts'
import { type DocumentWrites, sourceColumns } from '../team-writes/document-writes.ts'
import { getFolderPath, readFolderPath } from '../team-writes/folder-path.ts'
import type { IndexChanges } from '../team-writes/index-changes.ts'
import { checkQuota, sizeOf } from './quotas.ts'
import type { DocumentChanges } from './team-change.ts'

export function createDocumentChanges(
  write: Write,
  team: TeamKey,
  writes: DocumentWrites,
  index: IndexChanges,
  announce: (document: DocumentKey, seq: number) => Promise<void>,
): DocumentChanges {
  const foldersAbove = createFoldersAbove(write, team)
  return {
    async createDocument({ folder, name, visibility = 'private', createdAt, updatedAt, content, source }) {
      await checkQuota(write, team, { content, source })
      const id = createPublicId('doc')
      const nameFolded = foldName(name)
      const folders = await foldersAbove(folder)
      const seq = 1
      const key = await writes.insert(write, {
        public_id: id,
        team_id: team,
        folder_id: folder,
        name: readName(name),
        name_folded: nameFolded,
        visibility,
        created_at: readTime(createdAt),
        updated_at: readTime(updatedAt),
        seq,
        ...sourceColumns(source),
        content_bytes: sizeOf(content),
        source_seq: source ? seq : null,
      })
      await writes.putContent(write, key, seq, content)
      index.add({ id: key, publicId: id, team, folders, nameFolded, updatedAt: readTime(updatedAt) })
      return { key, id }
    },

    async updateDocument(key, { updatedAt, content, readContent, source }) {
      const document = await getDocument(write, team, key)
      await checkQuota(write, team, { content, source }, key)
      const replacement = await findReplacement(write, key, readContent)
      const isSame = replacement?.length === 0
      await discardContent(write, key)
      await discardSource(write, key)
      const seq = isSame ? document.seq : document.seq + 1
      // With a log, the size is noted when the log is folded.
      const content_bytes = replacement ? undefined : sizeOf(content)
      await write
        .updateTable('document')
        .set({
          updated_at: readTime(updatedAt),
          seq,
          ...sourceColumns(source),
          content_bytes,
          source_seq: seq,
        })
        .where('id', '=', key)
        .execute()
      if (replacement && !isSame)
        await writes.addChange(write, { document: key, seq, change: replacement, at: Date.now() })
      else if (!replacement) await writes.putContent(write, key, seq, content)
      await announce(key, seq)
      const before = { ...document, team, folders: await foldersAbove(document.folder) }
      index.replace(before, { ...before, updatedAt: readTime(updatedAt) })
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

    async releaseSource(key) {
      await getDocument(write, team, key)
      await write.updateTable('document').set({ source_root_id: null }).where('id', '=', key).execute()
    },

    async refreshSource(key, source) {
      await getDocument(write, team, key)
      await write.updateTable('document').set(sourceColumns(source)).where('id', '=', key).execute()
    },
  }
}

/** Tells the keys of a folder and its ancestors; asks once for each folder. */
function createFoldersAbove(write: Write, team: TeamKey) {
  const known = new Map<FolderKey, FolderKey[]>()
  return async (folder: FolderKey): Promise<FolderKey[]> => {
    const folders = known.get(folder) ?? readFolderPath(await getFolderPath(write, team, folder))
    known.set(folder, folders)
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
