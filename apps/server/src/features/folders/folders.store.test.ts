import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Folder } from '@meadow/contract'
import type { Database } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createFolderStore as createJsonStore } from './folders.store.ts'

/** The store, with the JSON parsed. */
const createFolderStore = (database: Database) => {
  const { find } = createJsonStore(database)
  return {
    async find(team: TeamKey, id: string): Promise<Folder | undefined> {
      const json = await find(team, id)
      return json && JSON.parse(Buffer.from(json).toString()).folder
    },
  }
}

const names = (items: readonly { name: string }[]) => items.map(({ name }) => name)

for (const kind of DATABASES) {
  describe(`folders on ${kind.name}`, kind.options, () => {
    test('[C2, D13] given a tree, then a folder has its ancestors, root first, and its direct contents', async (t) => {
      const database = await kind.open(t)
      const { team, root, folder, document } = await givenTeam(database)
      const towers = await folder('Towers')
      const east = await folder('East', towers.key)
      const core = await folder('Core', east.key)
      await folder('Deeper', core.key)
      const { id } = await document({ folder: east.key, name: 'Facade', visibility: 'public' })
      await document({ folder: core.key, name: 'Too deep' })
      await document({ folder: towers.key, name: 'Too high' })

      assert.deepEqual(await createFolderStore(database).find(team, east.id), {
        id: east.id,
        name: 'East',
        parentId: towers.id,
        path: [
          { id: root.id, name: root.name },
          { id: towers.id, name: 'Towers' },
        ],
        folders: [{ id: core.id, name: 'Core' }],
        documents: [
          {
            id,
            name: 'Facade',
            visibility: 'public',
            createdAt: '2026-01-01T00:00:00.000Z',
            updatedAt: '2026-01-02T00:00:00.000Z',
          },
        ],
      })
    })

    test('[C4] given the root, then `root` and its id give the same folder, without parent and path', async (t) => {
      const database = await kind.open(t)
      const { team, root, folder, document } = await givenTeam(database)
      await folder('Towers')
      await document()
      const folders = createFolderStore(database)
      const found = await folders.find(team, 'root')
      assert.deepEqual([found?.id, found?.parentId, found?.path], [root.id, null, []])
      assert.deepEqual([names(found!.folders), names(found!.documents)], [['Towers'], ['Tower']])
      assert.deepEqual(await folders.find(team, root.id), found)
    })

    test('[C4, D5] given an id that is missing, of another team, or malformed, then nothing is found', async (t) => {
      const database = await kind.open(t)
      const { team } = await givenTeam(database)
      const other = await givenTeam(database, 'Other')
      const folders = createFolderStore(database)
      const document = await other.document()
      for (const id of [
        'fld_0000000000000000',
        other.root.id,
        document.id,
        '',
        '\0',
        'fld_\0',
        'x'.repeat(9_999),
      ]) {
        assert.equal(await folders.find(team, id), undefined, id)
      }
    })

    test('[C7.3, D8] given a team whose root folder is missing, then `root` finds nothing', async (t) => {
      const database = await kind.open(t)
      const { team, root } = await givenTeam(database)
      await database.transaction((write) => write.deleteFrom('folder').where('id', '=', root.key).execute())
      assert.equal(await createFolderStore(database).find(team, 'root'), undefined)
    })

    test('[D14] given names with numbers, then folders and documents are sorted by name, numbers by value, ties by id', async (t) => {
      const database = await kind.open(t)
      const { team, folder, document } = await givenTeam(database)
      for (const name of ['Tower 10', 'Tower 2', 'tower 1', 'Äther', 'Zone', 'Attic']) {
        await folder(name)
        await document({ name })
      }
      const twins = [
        await document({ name: 'Twin' }),
        await document({ name: 'Twin' }),
        await document({ name: 'Twin' }),
      ]
      const found = await createFolderStore(database).find(team, 'root')
      const sorted = ['Äther', 'Attic', 'tower 1', 'Tower 2', 'Tower 10']
      assert.deepEqual(names(found!.folders), [...sorted, 'Zone'])
      assert.deepEqual(names(found!.documents), [...sorted, 'Twin', 'Twin', 'Twin', 'Zone'])
      assert.deepEqual(
        found!.documents.filter(({ name }) => name === 'Twin').map(({ id }) => id),
        twins.map(({ id }) => id).sort(),
      )
    })
  })
}
