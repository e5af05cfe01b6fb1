import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createDocument } from '../../library/documents.ts'
import { createFolder } from '../../library/folders.ts'
import type { Database } from '../../platform/database/database.ts'
import { cleanName } from '../../platform/database/names.ts'
import { MAX_TIME } from '../../platform/database/times.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { DATABASES } from '../../testing/databases.ts'
import { EMPTY_CONTENT, givenTeam } from '../../testing/given-team.ts'
import { orderNames } from '../bin/order-names.ts'
import { createFolderStore } from './folders.store.ts'

const name = (unit: fc.Arbitrary<string>) => fc.string({ unit, minLength: 1, maxLength: 12 })
/** Names that can be sorted by a key, and any others. */
const NAMES = fc
  .oneof(
    { weight: 3, arbitrary: name(fc.constantFrom(...'aAbÄöß019 _-."\\/\t')) },
    name(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((character) => character !== '\0')),
  )
  .map(cleanName)
const TIMES = fc.oneof(fc.integer({ min: 0, max: MAX_TIME }), fc.constantFrom(0, 999, 1000, MAX_TIME))

const forgetKeys = (database: Database) =>
  database.transaction(async (write) => {
    await write.updateTable('folder').set({ name_order: null }).execute()
    await write.updateTable('document').set({ name_order: null }).execute()
  })

const countKeys = async (database: Database) => {
  const { rows } = await database.transaction((write) =>
    sql<{ keys: number }>`select cast(count(name_order) as integer) as keys from document`.execute(write),
  )
  return rows[0]!.keys
}

for (const kind of DATABASES) {
  describe(`listings of folders on ${kind.name}`, kind.options, () => {
    test('[LIST-1, LIST-2, D14] given folders and documents with any names and times, then the response that the database writes is the one that is written here without keys', async (t) => {
      const database = await kind.open(t)
      const { team, folder } = await givenTeam(database)
      const { find } = createFolderStore(database)
      const read = async (id: string) => JSON.parse(Buffer.from((await find(team, id))!).toString())
      const documents = fc.record({
        name: NAMES,
        visibility: fc.constantFrom('private', 'public'),
        createdAt: TIMES,
        updatedAt: TIMES,
      })
      await fc.assert(
        fc.asyncProperty(
          fc.array(NAMES, { maxLength: 4 }),
          fc.array(documents, { maxLength: 6 }),
          async (folders, documents) => {
            const parent = await folder(`${Math.random()} "x"`)
            await changeTeam(database, team, async (change) => {
              for (const name of folders) await createFolder(change, parent.key, name)
              for (const document of documents)
                await createDocument(change, { ...document, folder: parent.key, content: EMPTY_CONTENT })
            })
            const written = await read(parent.id)
            assert.equal(written.folder.documents.length, documents.length)
            await forgetKeys(database)
            assert.deepEqual(await read(parent.id), written)
            await orderNames(database)
            assert.deepEqual(await read(parent.id), written)
          },
        ),
        { numRuns: 15 },
      )
    })

    test('[LIST-3] given a process of an older Meadow that knows no keys, when it creates and renames, then nothing is sorted by the key of a former name', async (t) => {
      const database = await kind.open(t)
      const { team, document, folder, root } = await givenTeam(database)
      const { key } = await document({ name: 'Tower 1' })
      await document({ name: 'Tower 2' })
      const { key: below } = await folder('Towers')
      const listed = async () => {
        const json = await createFolderStore(database).find(team, root.id)
        return JSON.parse(Buffer.from(json!).toString()).folder.documents.map(
          ({ name }: { name: string }) => name,
        )
      }
      assert.equal(await countKeys(database), 2)
      await database.transaction(async (write) => {
        await write.updateTable('document').set({ name: 'Zone' }).where('id', '=', key).execute()
        await write.updateTable('folder').set({ name: 'Zones' }).where('id', '=', below).execute()
      })
      assert.equal(await countKeys(database), 1)
      assert.deepEqual(await listed(), ['Tower 2', 'Zone'])
      assert.equal(await orderNames(database), 2)
      assert.equal(await orderNames(database), 0)
      assert.deepEqual(await listed(), ['Tower 2', 'Zone'])
      // What changes beside the name leaves the key.
      await database.transaction((write) =>
        write.updateTable('document').set({ name: 'Zone', updated_at: 1 }).where('id', '=', key).execute(),
      )
      assert.equal(await countKeys(database), 2)
    })

    test('[LIST-2] given rows of several teams without keys, then all of them get keys', async (t) => {
      const database = await kind.open(t)
      for (const name of ['Acme', 'Other', 'Third']) await (await givenTeam(database, name)).document()
      await forgetKeys(database)
      assert.equal(await orderNames(database), 6)
      assert.equal(await countKeys(database), 3)
    })
  })
}
