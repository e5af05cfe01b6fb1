import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { putGoneIntoBin } from '../../library/bin.ts'
import { createDocument } from '../../library/documents.ts'
import { createFolder, findFolder } from '../../library/folders.ts'
import { createFile, updateFile } from '../../library/team-files.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { createTeam } from '../../team/teams.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { listOutdated } from './outdated-solves.store.ts'
import { createReferencedModelStore } from './referenced-models.store.ts'
import { createSolveStore } from './solves.store.ts'
import { solvedIn, TERMS } from './testing/given-solves.ts'
import { EMPTY_GRAPH } from './testing/graphs.ts'

const ID = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

const sourceOf = (root: FolderKey, digest: string, path: string) => ({
  ...{ root, from: '/files', path, mtimeMs: null },
  ...{ sha256: digest, sizeBytes: 7, blob: digest },
})

/** A team with the folders home/{near/deep}, home's sibling and the root, and a document in home. */
async function openTree(t: TestContext, kind: TestDatabase) {
  const database = await kind.open(t)

  const team = await createTeam(database, { name: 'Acme', credits: 100 })
  const root = (await findFolder(database.read, team.key, 'root'))!.key
  const tree = await changeTeam(database, team.key, async (change) => {
    const folder = async (parent: FolderKey, name: string) => (await createFolder(change, parent, name)).key
    const home = await folder(root, 'Home')
    const below = await folder(home, 'Below')
    const deep = await folder(below, 'Deep')
    const beside = await folder(root, 'Beside')
    const bytes = Buffer.from(JSON.stringify(EMPTY_GRAPH))
    const document = await createDocument(change, {
      name: 'Document',
      folder: home,
      content: { kind: 'inline', bytes },
    })
    return { root, home, below, deep, beside, document: document.key }
  })
  let made = 0
  let files = 0
  const addModel = (folder: FolderKey, objectIds: string[], digest = String(++made).repeat(64)) =>
    changeTeam(database, team.key, (change) =>
      createFile(change, {
        folder,
        name: `${digest[0]}.3dm`,
        kind: 'model',
        source: sourceOf(folder, digest, String(++files)),
        facts: JSON.stringify({ kind: 'model', units: { name: 'millimeters' } }),
        objectIds,
      }),
    )
  const store = createReferencedModelStore(database)
  const find = async (...ids: string[]) =>
    (await store.findModels(tree.document, ids)).map(({ id, models }) => [
      id,
      ...models.map(({ name }) => name),
    ])
  return { ...tree, database, team, addModel, find, store }
}

for (const kind of DATABASES) {
  describe(`models of references on ${kind.name}`, kind.options, () => {
    test('[REF-2] given models with an object in several folders, when they are looked for, then the nearest folder wins: its own, below, then beside and above', async (t) => {
      const { addModel, find, root, home, below, deep, beside } = await openTree(t, kind)
      const seen: unknown[] = [await find(ID(1))]
      for (const folder of [beside, root, deep, below, home]) {
        await addModel(folder, [ID(1), ID(2)])
        seen.push(await find(ID(1), ID(3)))
      }
      const expected = ['1.3dm', '2.3dm', '3.3dm', '4.3dm', '5.3dm'].map((name) => [[ID(1), name]])
      assert.deepEqual(seen, [[], ...expected])
    })

    test('[REF-2] given two equally near models, when they are looked for, then both are found, and equal bytes once', async (t) => {
      const { addModel, find, store, home, document } = await openTree(t, kind)
      await addModel(home, [ID(1)])
      await addModel(home, [ID(1)])
      assert.deepEqual(await find(ID(1)), [[ID(1), '1.3dm', '2.3dm']])
      await addModel(home, [ID(2)], 'c'.repeat(64))
      await addModel(home, [ID(2)], 'c'.repeat(64))
      assert.deepEqual(await store.findModels(document, [ID(2)]), [
        { id: ID(2), models: [{ digest: 'c'.repeat(64), name: 'c.3dm', size: 7, units: 'millimeters' }] },
      ])
    })

    test('[REF-2] given a model of another team or in the bin, when it is looked for, then it is not found', async (t) => {
      const { addModel, find, home, database, team } = await openTree(t, kind)
      const { key } = await addModel(home, [ID(1)])
      const other = await createTeam(database, { name: 'Other', credits: 1 })
      const theirs = (await findFolder(database.read, other.key, 'root'))!.key
      await changeTeam(database, other.key, (change) =>
        createFile(change, {
          folder: theirs,
          name: 'theirs.3dm',
          kind: 'model',
          source: sourceOf(theirs, 'd'.repeat(64), 'theirs.3dm'),
          facts: '{}',
          objectIds: [ID(2)],
        }),
      )
      await changeTeam(database, team.key, (change) => putGoneIntoBin(change, [{ kind: 'model', key }]))
      assert.deepEqual(await find(ID(1), ID(2)), [])
    })

    test('[REF-7] given solved documents, when a model that one refers to changes, then that one is outdated until it is solved again', async (t) => {
      const { database, team, document, home, addModel } = await openTree(t, kind)
      const { key } = await addModel(home, [ID(1)])
      await database.transaction((write) =>
        write
          .insertInto('document_reference')
          .values({ document_id: document, object_id: ID(1) })
          .execute(),
      )
      const list = async () => (await listOutdated(database, team.key)).map((found) => found.key)
      let offsetMs = 1000
      const solves = createSolveStore(database, () => Date.now() + offsetMs)
      const solve = async () => {
        await solves.request(team.key, [document])
        const lease = (await solves.lease(TERMS))!
        assert.ok(await solves.complete(lease, solvedIn(1)))
      }
      assert.deepEqual(await list(), [])
      await solve()
      assert.deepEqual(await list(), [])
      const change = (objectIds: string[], at: number) =>
        changeTeam(database, team.key, (changes) =>
          updateFile(changes, key, {
            source: sourceOf(home, 'e'.repeat(64), '1'),
            facts: '{}',
            objectIds,
            at: Date.now() + at * 1000,
          }),
        )
      await change([ID(1)], 50)
      assert.deepEqual(await list(), [document])
      offsetMs = 100_000
      await solve()
      assert.deepEqual(await list(), [])
      await change([ID(2)], 200)
      assert.deepEqual(await list(), [])
    })

    test('[REF-7, REF-9] given a document that reads files, when a text in its folder changes, then it is outdated, and its solve gets the texts of that folder', async (t) => {
      const { database, team, document, home, below, store } = await openTree(t, kind)
      const addText = (folder: FolderKey, name: string, at: number) =>
        changeTeam(database, team.key, (change) =>
          createFile(change, {
            ...{ folder, name, kind: 'csv' as const, facts: '{}', objectIds: [], at },
            source: sourceOf(folder, 'f'.repeat(64), name),
          }),
        )
      await addText(home, 'b.csv', Date.now())
      await addText(home, 'A.csv', Date.now())
      await addText(below, 'c.csv', Date.now())
      const texts = await store.listTexts(document)
      assert.deepEqual(
        texts.map(({ name, size }) => [name, size]),
        [
          ['A.csv', 7],
          ['b.csv', 7],
        ],
      )
      const solves = createSolveStore(database, () => Date.now() + 1000)
      await solves.request(team.key, [document])
      assert.ok(await solves.complete((await solves.lease(TERMS))!, solvedIn(1)))
      const list = async () => (await listOutdated(database, team.key)).map((found) => found.key)
      await addText(home, 'new.csv', Date.now() + 50_000)
      assert.deepEqual(await list(), [], 'it reads no file')
      await database.transaction(async (write) => {
        const { id } = await write
          .insertInto('used_thing')
          .values({
            ...{ team_id: team.key, kind: 'component', version: '', detail: '' },
            ...{
              key: '6587fcbf-e3cf-480a-b2f5-641794474194',
              name: 'Read File',
              words_folded: 'read file\n',
              script: null,
            },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await write
          .insertInto('document_use')
          .values({ document_id: document, thing_id: id, nodes: 1, nested: 0 })
          .execute()
      })
      assert.deepEqual(await list(), [document])
    })
  })
}
