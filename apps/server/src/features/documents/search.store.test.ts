import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SEARCH_LIMIT } from '@meadow/contract'
import fc from 'fast-check'
import { putDocumentIntoBin } from '../../library/bin.ts'
import { createDocument } from '../../library/documents.ts'
import type { Database } from '../../platform/database/database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { DATABASES } from '../../testing/databases.ts'
import { EMPTY_CONTENT, givenTeam } from '../../testing/given-team.ts'
import { createSearch, FEW, type SearchRequest } from './search.store.ts'

/** A team, and a search that returns the names that it finds. */
async function givenSearch(database: Database) {
  const fixtures = await givenTeam(database)
  const search = createSearch(database)
  return {
    ...fixtures,
    search: (request: SearchRequest) => search(fixtures.team, request),
    names: async (request: SearchRequest) =>
      (await search(fixtures.team, request))?.documents.map(({ name }) => name),
  }
}

for (const kind of DATABASES) {
  describe(`the document search on ${kind.name}`, kind.options, () => {
    test('[C2, D16] given a document, then it is found with its folder, and whether that is the root', async (t) => {
      const { search, root, folder, document } = await givenSearch(await kind.open(t))
      const towers = await folder('Towers')
      const filed = await document({ name: 'Filed', folder: towers.key, visibility: 'public', updatedAt: 2 })
      const unfiled = await document({ name: 'Unfiled', updatedAt: 1 })
      const times = { createdAt: '2026-01-01T00:00:00.000Z' }
      assert.deepEqual(await search({ q: 'filed' }), {
        documents: [
          {
            ...times,
            id: filed.id,
            name: 'Filed',
            visibility: 'public',
            updatedAt: '1970-01-01T00:00:00.002Z',
            folder: { id: towers.id, name: 'Towers' },
            isRoot: false,
          },
          {
            ...times,
            id: unfiled.id,
            name: 'Unfiled',
            visibility: 'private',
            updatedAt: '1970-01-01T00:00:00.001Z',
            folder: { id: root.id, name: root.name },
            isRoot: true,
          },
        ],
        truncated: false,
      })
    })

    test('[C4, D17] given names in any case and spelling, then a part of the name finds them', async (t) => {
      const { names, document } = await givenSearch(await kind.open(t))
      for (const name of ['Straße', 'Cafe\u0301 West', 'ΟΔΟΣ', 'Äther']) await document({ name })
      assert.deepEqual(await names({ q: 'STRASSE' }), ['Straße'])
      assert.deepEqual(await names({ q: 'strasse' }), ['Straße'])
      assert.deepEqual(await names({ q: 'FÉ W' }), ['Cafe\u0301 West'])
      assert.deepEqual(await names({ q: 'οδος' }), ['ΟΔΟΣ'])
      assert.deepEqual(await names({ q: 'ather' }), [])
    })

    test('[C4] given % and _ and other special characters, then they match as themselves', async (t) => {
      const { names, document } = await givenSearch(await kind.open(t))
      const all = ['50%', '5_0', '500', 'a"b', "a'b", 'a\\b', 'a*b', 'x AND y', '(a)', '😀']
      for (const name of all) await document({ name })
      for (const q of ['%', '_', '"', "'", '\\', '*', ' and ', '(a)', '😀']) {
        assert.deepEqual(
          await names({ q }),
          all.filter((name) => name.toLowerCase().includes(q)),
          q,
        )
      }
    })

    test('[C4, D18] given matches, then names that start with q come first, each group the most recently changed first', async (t) => {
      const { names, document } = await givenSearch(await kind.open(t))
      for (const [updatedAt, name] of ['Tower a', 'My tower b', 'Tower c', 'My tower d', 'Other'].entries()) {
        await document({ name, updatedAt })
      }
      assert.deepEqual(await names({ q: 'tower' }), ['Tower c', 'Tower a', 'My tower d', 'My tower b'])
      const newestFirst = ['Other', 'My tower d', 'Tower c', 'My tower b', 'Tower a']
      assert.deepEqual(await names({}), newestFirst)
      assert.deepEqual(await names({ q: '' }), newestFirst)
    })

    test('[C4, D16, D18] given more than 50 matches of one time, then the first 50 by id, and that there are more', async (t) => {
      const { search, database, team, root } = await givenSearch(await kind.open(t))
      const create = (count: number) =>
        changeTeam(database, team, async (change) => {
          const ids: string[] = []
          for (let index = 0; index < count; index++) {
            const facts = {
              folder: root.key,
              name: 'Same',
              createdAt: 0,
              updatedAt: 7,
              content: EMPTY_CONTENT,
            }
            ids.push((await createDocument(change, facts)).id)
          }
          return ids
        })
      const ids = await create(SEARCH_LIMIT)
      const found = await search({ q: 'same' })
      assert.deepEqual(
        found?.documents.map(({ id }) => id),
        ids.sort(),
      )
      assert.equal(found?.truncated, false)

      const all = [...ids, ...(await create(1))].sort()
      const more = await search({ q: 'same' })
      assert.deepEqual(
        more?.documents.map(({ id }) => id),
        all.slice(0, SEARCH_LIMIT),
      )
      assert.equal(more?.truncated, true)
    })

    test('[C4, D18] given a folder, then only what is in it at any depth, itself included', async (t) => {
      const { names, root, folder, document } = await givenSearch(await kind.open(t))
      const towers = await folder('Towers')
      const deep = await folder('Deep', towers.key)
      const other = await folder('Other')
      for (const [name, { key }] of Object.entries({ root, towers, deep, other })) {
        await document({ name: `tower in ${name}`, folder: key, updatedAt: key })
      }
      const inTowers = ['tower in deep', 'tower in towers']
      assert.deepEqual(await names({ q: 'tower', folderId: towers.id }), inTowers)
      assert.deepEqual(await names({ folderId: towers.id }), inTowers)
      assert.deepEqual(await names({ q: 'in o', folderId: towers.id }), [])
      const everywhere = ['tower in other', ...inTowers, 'tower in root']
      assert.deepEqual(await names({ q: 'tower', folderId: 'root' }), everywhere)
      assert.deepEqual(await names({ folderId: root.id }), everywhere)
    })

    test('[C4, D18] given any text, then a folder with few documents finds what the index finds of them in the whole', async (t) => {
      const { search, database, team, folder, document } = await givenSearch(await kind.open(t))
      const many = await folder('Many')
      const few = await folder('Few', many.key)
      const beside = await folder('Few beside')
      const letters = fc.array(fc.constantFrom('a', 'B', 'b', 'ä', 'İ', 'ß', 's', ' ', '%'), {
        minLength: 1,
        maxLength: 4,
      })
      const names = fc.sample(letters, { numRuns: FEW + 30, seed: 7 }).map((name) => `${name.join('')}.`)
      for (const [index, name] of names.entries()) {
        const home = index % 4 === 0 ? few : many
        await document({ name, folder: home.key, updatedAt: index % 5 })
      }
      await document({ name: 'a beside', folder: beside.key })
      const binned = await document({ name: 'ab binned', folder: few.key })
      await changeTeam(database, team, (change) => putDocumentIntoBin(change, binned.key))
      await fc.assert(
        fc.asyncProperty(letters, async (text) => {
          const q = text.join('')
          const [all, some] = [await search({ q, folderId: many.id }), await search({ q, folderId: few.id })]
          if (all!.truncated) return
          assert.deepEqual(
            some!.documents,
            all!.documents.filter(({ folder }) => folder.id === few.id),
          )
        }),
        { numRuns: 60 },
      )
    })

    test('[C4, D5] given a folder id that is missing, of another team, or malformed, then undefined', async (t) => {
      const database = await kind.open(t)
      const { search } = await givenSearch(database)
      const other = await givenTeam(database, 'Other')
      for (const folderId of ['fld_0000000000000000', other.root.id, '', 'Root', '\0']) {
        assert.equal(await search({ folderId }), undefined, folderId)
      }
    })

    test('[D8] given a team whose root folder is missing, then a search in `root` is undefined', async (t) => {
      const database = await kind.open(t)
      const { search, root } = await givenSearch(database)
      await database.transaction((write) => write.deleteFrom('folder').where('id', '=', root.key).execute())
      assert.equal(await search({ folderId: 'root' }), undefined)
    })

    test('[D19] given a q that no name can match, then nothing is found', async (t) => {
      const { search, document } = await givenSearch(await kind.open(t))
      await document({ name: 'x'.repeat(255) })
      for (const q of ['x'.repeat(256), 'x'.repeat(20_000), '\0', 'x\0', '\ud800']) {
        assert.deepEqual(await search({ q }), { documents: [], truncated: false })
      }
      assert.equal((await search({ q: 'x'.repeat(255) }))?.documents.length, 1)
    })

    test('[C1] given documents of another team, then they are never found', async (t) => {
      const database = await kind.open(t)
      const { search } = await givenSearch(database)
      await (await givenTeam(database, 'Other')).document({ name: 'Tower' })
      assert.deepEqual(await search({}), { documents: [], truncated: false })
      assert.deepEqual(await search({ q: 'tower' }), { documents: [], truncated: false })
    })
  })
}
