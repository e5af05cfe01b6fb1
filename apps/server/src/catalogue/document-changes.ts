import type { Write } from '../platform/database/database.ts'
import { foldName } from '../platform/database/fold-name.ts'
import { readName } from '../platform/database/names.ts'
import type { DocumentKey, FolderKey, TeamKey } from '../platform/database/tables.ts'
import { readTime } from '../platform/database/times.ts'
import { createPublicId } from '../platform/public-ids.ts'
import { type DocumentWrites, sourceColumns } from './document-writes.ts'
import { getFolderPath } from './folder-changes.ts'
import type { IndexChanges } from './index-changes.ts'
import type { DocumentChanges } from './team-change.ts'

export function createDocumentChanges(
  write: Write,
  team: TeamKey,
  writes: DocumentWrites,
  index: IndexChanges,
): DocumentChanges {
  const foldersAbove = createFoldersAbove(write, team)
  return {
    async createDocument({ folder, name, visibility = 'private', createdAt, updatedAt, content, source }) {
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
      })
      await writes.putContent(write, key, seq, content)
      index.add({ id: key, publicId: id, team, folders, nameFolded, updatedAt: readTime(updatedAt) })
      return { key, id }
    },

    async updateDocument(key, { updatedAt, content, source }) {
      const document = await getDocument(write, team, key)
      const seq = document.seq + 1
      await write
        .updateTable('document')
        .set({ updated_at: readTime(updatedAt), seq, ...sourceColumns(source) })
        .where('id', '=', key)
        .execute()
      await writes.putContent(write, key, seq, content)
      const before = { ...document, team, folders: await foldersAbove(document.folder) }
      index.replace(before, { ...before, updatedAt: readTime(updatedAt) })
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
    const folders = known.get(folder) ?? readPath(await getFolderPath(write, team, folder))
    known.set(folder, folders)
    return folders
  }
}

const readPath = (path: string) => path.slice(0, -1).split('/').map(Number) as FolderKey[]

/** Throws when the team has no such document. */
async function getDocument(write: Write, team: TeamKey, key: DocumentKey) {
  const document = await write
    .selectFrom('document')
    .where('id', '=', key)
    .where('team_id', '=', team)
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
