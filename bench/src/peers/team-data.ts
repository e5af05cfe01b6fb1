import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DocumentSummary } from '@meadow/contract'
import type { StoredContent } from './read-contents.ts'

/** A team as plain lists, for peers that do not use PostgreSQL. */
export interface TeamData {
  folders: { id: string; parentId: string | null; name: string }[]
  documents: (DocumentSummary & { folderId: string })[]
  contents: StoredContent[]
}

const FOLDERS = `select folder.public_id as id, parent.public_id as parentId, folder.name
  from folder left join folder parent on parent.id = folder.parent_id order by folder.id`
const DOCUMENTS = `select document.public_id as id, folder.public_id as folderId, document.name, visibility,
    document.created_at as createdAt, updated_at as updatedAt
  from document join folder on folder.id = document.folder_id`

/** Reads the team from Meadow's SQLite database. */
export async function readTeamData(
  dataDir: string,
  contents: AsyncIterable<StoredContent>,
): Promise<TeamData> {
  const database = new DatabaseSync(join(dataDir, 'meadow.sqlite'), { readOnly: true })
  try {
    const folders = database.prepare(FOLDERS).all() as unknown as TeamData['folders']
    const rows = database.prepare(DOCUMENTS).all() as unknown as DocumentRow[]
    const documents = rows.map(({ createdAt, updatedAt, ...document }) => ({
      ...document,
      createdAt: toTimestamp(createdAt),
      updatedAt: toTimestamp(updatedAt),
    }))
    return { folders, documents, contents: await Array.fromAsync(contents) }
  } finally {
    database.close()
  }
}

type DocumentRow = Omit<TeamData['documents'][number], 'createdAt' | 'updatedAt'> & {
  createdAt: number
  updatedAt: number
}

const toTimestamp = (ms: number) => new Date(ms).toISOString() as DocumentSummary['createdAt']
