import { createCatalogue, type NewDocument } from '../library/catalogue.ts'
import type { Database } from '../platform/database/database.ts'
import type { FolderKey } from '../platform/database/tables.ts'

export const EMPTY_CONTENT = { kind: 'inline', bytes: Buffer.from('{"nodes":{}}') } as const

/** A team with its root folder, and what fills it, for the tests of stores. */
export async function givenTeam(database: Database, name = 'Acme') {
  const catalogue = createCatalogue(database)
  const team = await catalogue.createTeam({ name })
  const root = (await catalogue.findFolder(team.key, 'root'))!
  return {
    catalogue,
    team: team.key,
    root,
    folder: (name: string, parent: FolderKey = root.key) =>
      catalogue.changeTeam(team.key, async (change) => {
        const { isNew: _, ...folder } = await change.ensureFolder(parent, name)
        return folder
      }),
    /** Without facts: an empty one called Tower, in the root. */
    document: (facts: Partial<NewDocument> = {}) =>
      catalogue.changeTeam(team.key, (change) =>
        change.createDocument({
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
