import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createDocument } from '../../library/documents.ts'
import { createFolder } from '../../library/folders.ts'
import type { Database } from '../../platform/database/database.ts'
import { cleanName } from '../../platform/database/names.ts'
import { MAX_TIME } from '../../platform/database/times.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { DATABASES } from '../../testing/databases.ts'
import { EMPTY_CONTENT, givenTeam } from '../../testing/given-team.ts'
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
    await write.updateTable('folder').set({ name_order: '' }).execute()
    await write.updateTable('document').set({ name_order: '' }).execute()
  })

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
          },
        ),
        { numRuns: 15 },
      )
    })
  })
}
