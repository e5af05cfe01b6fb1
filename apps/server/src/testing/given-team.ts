import { createDocument, type NewDocument } from '../library/documents.ts'
import { ensureFolder, findFolder } from '../library/folders.ts'
import type { Database } from '../platform/database/database.ts'
import type { FolderKey } from '../platform/database/tables.ts'
import { changeTeam } from '../team/team-transaction.ts'
import { createTeam } from '../team/teams.ts'

export const EMPTY_CONTENT = { kind: 'inline', bytes: Buffer.from('{"nodes":{}}') } as const

/** A team with its root folder, and what fills it, for the tests of stores. */
export async function givenTeam(database: Database, name = 'Acme') {
  const team = await createTeam(database, { name })
  const root = (await findFolder(database.read, team.key, 'root'))!
  return {
    database,
    team: team.key,
    root,
    folder: (name: string, parent: FolderKey = root.key) =>
      changeTeam(database, team.key, async (change) => {
        const { isNew: _, ...folder } = await ensureFolder(change, parent, name)
        return folder
      }),
    /** Without facts: an empty one called Tower, in the root. */
    document: (facts: Partial<NewDocument> = {}) =>
      changeTeam(database, team.key, (change) =>
        createDocument(change, {
          folder: root.key,
          name: 'Tower',
          createdAt: Date.UTC(2026, 0, 1),
          updatedAt: Date.UTC(2026, 0, 2),
          content: EMPTY_CONTENT,
          ...facts,
        }),
      ),
  }
}
