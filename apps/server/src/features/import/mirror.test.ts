import assert from 'node:assert/strict'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import type { DocumentId } from '@meadow/contract'
import { createUserStore } from '../../access/users.store.ts'
import { putDocumentIntoBin, putFolderIntoBin, restoreDocuments, restoreFromBin } from '../../library/bin.ts'
import { moveDocument, renameDocument } from '../../library/documents.ts'
import { findChildFolder } from '../../library/folders.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import { changeTeam, type TeamTransaction } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { createFolder, LONG_AGO, putFile } from '../../testing/definition-folder.ts'
import { createModelFile } from '../../testing/model-file.ts'
import { openDefinitionParser } from './definition-parser.ts'
import type { ImportResult } from './import-result.ts'
import { givenImport, outcomes, panelText } from './testing/given-import.ts'

/** Shared by all tests, because its process takes a while to start. */
const parser = openDefinitionParser()
after(() => parser[Symbol.asyncDispose]())

const definition = (text: string) => createDefinitionFile({ text })

/** A folder with these files, as it is imported every night; and what people do with the documents. */
async function start(t: TestContext, kind: TestDatabase, files: Record<string, string | Uint8Array>) {
  const given = await givenImport(t, kind, parser)
  const { database, team } = given
  const path = await createFolder(t, files)
  const { id: user } = await createUserStore(database).createUser({ name: 'Ann', email: 'ann@example.org' })
  const keyOf = async (id: string | undefined): Promise<DocumentKey> => {
    const row = database.read
      .selectFrom('document')
      .where('public_id', '=', id as DocumentId)
      .select('id')
    return (await row.executeTakeFirstOrThrow()).id
  }
  const change = <T>(work: (change: TeamTransaction) => Promise<T>) => changeTeam(database, team, work)
  return {
    ...given,
    path,
    user,
    keyOf,
    change,
    sync: (options: Parameters<typeof given.run>[1] = {}) => given.run(path, options),
    move: async (from: string, to: string) => {
      await mkdir(join(path, to, '..'), { recursive: true })
      await rename(join(path, from), join(path, to))
    },
    remove: (file: string) => rm(join(path, file), { recursive: true }),
    bin: async (id: string | undefined) => {
      const key = await keyOf(id)
      await change((team) => putDocumentIntoBin(team, key, user))
    },
    /** Everything in the bin is restored. */
    restoreAll: async () => {
      const items = await database.read.selectFrom('bin_item').select('id').execute()
      for (const { id } of items) await change((team) => restoreFromBin(team, id))
    },
    countBinned: async () => (await database.read.selectFrom('bin_item').select('id').execute()).length,
  }
}

const movesOf = (results: readonly ImportResult[]) =>
  results.flatMap((result) => (result.outcome === 'moved' ? [[result.path, result.movedFrom]] : []))

for (const kind of FEATURE_DATABASES) {
  describe(`a mirror of a folder on ${kind.name}`, kind.options, () => {
    test('[IMP-26] given a folder that was moved and a file that was renamed, when the tree is imported again, then the documents keep their ids, in the folders and with the names of the files', async (t) => {
      const many = Array.from({ length: 60 }, (_, i) => [`old/f${i % 3}/${i}.gh`, definition(`${i}`)])
      const { sync, tree, move, remove, read, path } = await start(t, kind, {
        ...Object.fromEntries(many),
        'tower.gh': definition('tower'),
        'twin.gh': definition('tower'),
        'old/changed.gh': definition('before'),
      })
      await sync()
      const before = await tree()
      const time = (await read(before.tower!)).updatedAt
      await move('old', 'Projects/new')
      await putFile(path, 'Projects/new/changed.gh', definition('after'))
      await move('tower.gh', 'Tower 2.gh')
      const { summary, results } = await sync()
      assert.deepEqual(
        { moved: summary.moved, created: summary.created, gone: summary.gone, updated: summary.updated },
        { moved: 61, created: 0, gone: 0, updated: 1 },
      )
      assert.ok(movesOf(results).some(([path, from]) => path === 'Tower 2.gh' && from === 'tower.gh'))
      const after = await tree()
      assert.equal(Object.keys(after).length, Object.keys(before).length, 'no empty folder is left')
      for (const [path, id] of Object.entries(before)) {
        const now = path.replace(/^old/, 'Projects/new').replace('tower', 'Tower 2')
        assert.equal(after[now], id, path)
      }
      assert.equal(panelText(await read(before['old/changed']!)), 'after')
      assert.ok((await read(before.tower!)).updatedAt > time, 'another name is a change')
      assert.equal((await sync()).summary.unchanged, 63)

      // Of two files with equal bytes, one is deleted, and the other one moved.
      await remove('Tower 2.gh')
      await move('twin.gh', 'sub/twin.gh')
      await sync()
      assert.equal((await tree())['sub/twin'], before.twin)
    })

    test('[IMP-26] given documents that people moved and renamed, when their files are moved and renamed, then the documents stay where people put them, and belong to the files', async (t) => {
      const files = {
        'a/one.gh': definition('1'),
        'a/two.gh': definition('2'),
        'site.3dm': createModelFile().bytes,
      }
      const { sync, tree, move, keyOf, change, folder, path, read } = await start(t, kind, files)
      await sync()
      const before = await tree()
      const [one, two] = [await keyOf(before['a/one']), await keyOf(before['a/two'])]
      const mine = await folder('Mine')
      await change((team) => moveDocument(team, one, mine.key))
      await change((team) => renameDocument(team, two, 'Best'))
      await move('a', 'b')
      await move('b/two.gh', 'b/second.gh')
      await move('site.3dm', 'plot.3dm')
      assert.equal((await sync()).summary.moved, 3)
      assert.deepEqual(await tree(), { 'Mine/one': before['a/one'], 'b/Best': before['a/two'] })
      await putFile(path, 'b/one.gh', definition('changed'))
      assert.deepEqual(outcomes((await sync()).results), {
        'b/one.gh': 'updated',
        'b/second.gh': 'unchanged',
        'plot.3dm': 'unchanged',
      })
      assert.equal(panelText(await read(before['a/one']!)), 'changed')
    })

    test('[IMP-26] given a document in the bin, put there by a person or because its file was gone, when another file takes its path, then the document of that file follows', async (t) => {
      const { sync, tree, move, remove, bin, read, path, restoreAll } = await start(t, kind, {
        'tower.gh': definition('one'),
        'tower_v2.gh': definition('two'),
        'site.gh': definition('three'),
        'site_v2.gh': definition('four'),
      })
      await sync()
      const before = await tree()
      await bin(before.tower)
      await remove('site.gh')
      await sync({ onGone: 'bin', maxGonePercent: 100 })
      await move('tower_v2.gh', 'tower.gh')
      await move('site_v2.gh', 'site.gh')
      const { summary, results } = await sync({ onGone: 'bin', maxGonePercent: 100 })
      assert.deepEqual([summary.moved, summary.gone, summary.binned], [2, 0, 0])
      assert.deepEqual(movesOf(results).sort(), [
        ['site.gh', 'site_v2.gh'],
        ['tower.gh', 'tower_v2.gh'],
      ])
      assert.deepEqual(await tree(), { tower: before.tower_v2, site: before.site_v2 })
      await putFile(path, 'tower.gh', definition('two and a half'))
      await sync()
      assert.equal(panelText(await read(before.tower_v2!)), 'two and a half')
      await restoreAll()
      assert.equal((await sync()).summary.unchanged, 2)
      assert.equal(panelText(await read(before.tower!)), 'one')
    })

    test('[BIN-7] given documents of one file in the bin, when they are restored together, then the first one belongs to the file', async (t) => {
      const { sync, tree, bin, database, change } = await start(t, kind, {
        'a.gh': definition('one'),
        'b.gh': definition('two'),
      })
      await sync()
      for (const id of Object.values(await tree())) await bin(id)
      await database.transaction((write) =>
        write
          .updateTable('document')
          .set({ source_path: 'a.gh' })
          .where('source_path', '=', 'b.gh')
          .execute(),
      )
      const items = await database.read.selectFrom('bin_item').select('id').orderBy('id').execute()
      const restored = await change((team) =>
        restoreDocuments(
          team,
          items.map(({ id }) => id),
        ),
      )
      const rows = await database.read
        .selectFrom('document')
        .select(['public_id as id', 'source_root_id as source', 'bin_id as bin'])
        .execute()
      const found = restored.map(({ id }) => rows.find((row) => row.id === id)!)
      assert.deepEqual(
        found.map(({ source, bin }) => [source !== null, bin]),
        [
          [true, null],
          [false, null],
        ],
      )
    })

    test('[IMP-27] given documents and a folder in the bin, when the tree is imported again, then they stay there, whatever became of their files, and belong to them when they are restored', async (t) => {
      const { sync, tree, move, bin, change, restoreAll, user, path, read, root, database, version } =
        await start(t, kind, {
          'a.gh': definition('a'),
          'b.gh': definition('b'),
          'c/d.gh': definition('d'),
          'e.gh': definition('e'),
        })
      await sync()
      const before = await tree()
      await bin(before.a)
      await bin(before.b)
      const folder = (await findChildFolder(database.read, root.key, 'c'))!
      await change((team) => putFolderIntoBin(team, folder.key, user))
      const written = await version()
      const first = await sync()
      assert.deepEqual(outcomes(first.results), {
        'a.gh': 'binned',
        'b.gh': 'binned',
        'c/d.gh': 'binned',
        'e.gh': 'unchanged',
      })
      assert.deepEqual([first.summary.binned, first.summary.created, await version()], [3, 0, written])
      assert.deepEqual(await tree(), { e: before.e })

      await putFile(path, 'a.gh', definition('changed'))
      await move('b.gh', 'moved/b.gh')
      await putFile(path, 'c/new.gh', definition('new'))
      const second = await sync()
      assert.deepEqual([second.summary.binned, second.summary.created, second.summary.gone], [4, 0, 0])
      assert.deepEqual(await tree(), { e: before.e, 'moved/': '' })

      await restoreAll()
      const third = await sync()
      assert.deepEqual(outcomes(third.results), {
        'a.gh': 'updated',
        'moved/b.gh': 'unchanged',
        'c/d.gh': 'unchanged',
        'c/new.gh': 'created',
        'e.gh': 'unchanged',
      })
      const { 'c/new': _, 'moved/': __, ...same } = await tree()
      assert.deepEqual(same, before)
      assert.equal(panelText(await read(before.a!)), 'changed')
    })

    test('[IMP-28] given files that are gone, when the tree is imported every night, then each is reported once, and a file that is back has its document', async (t) => {
      const { sync, tree, remove, path } = await start(t, kind, {
        'a.gh': definition('a'),
        'b.gh': definition('b'),
        'site.3dm': createModelFile().bytes,
      })
      await sync()
      const before = await tree()
      await remove('a.gh')
      await remove('site.3dm')
      const { summary, results } = await sync()
      assert.deepEqual([summary.gone, summary.goneBinned, summary.goneBefore], [2, 0, 0])
      assert.deepEqual(
        results.filter(({ outcome }) => outcome === 'gone').map((result) => result.path),
        ['a.gh', 'site.3dm'],
      )
      const again = await sync()
      assert.deepEqual([again.summary.gone, again.summary.goneBefore], [0, 2])
      assert.deepEqual(await tree(), before)
      await putFile(path, 'sub/a.gh', definition('a'))
      assert.equal((await sync()).summary.moved, 1)
      assert.equal((await tree())['sub/a'], before.a)
      await remove('sub/a.gh')
      assert.equal((await sync()).summary.gone, 1, 'it is gone once more')
    })

    test('[IMP-28] given --gone bin, when files are gone, then their documents go to the bin, come back with their files, and stay when a person restores them', async (t) => {
      const { sync, tree, remove, path, restoreAll, countBinned } = await start(t, kind, {
        'a.gh': definition('a'),
        'b.gh': definition('b'),
        'sub/c.gh': definition('c'),
        'site.3dm': createModelFile().bytes,
      })
      await sync()
      const before = await tree()
      for (const file of ['a.gh', 'sub/c.gh', 'site.3dm']) await remove(file)
      const { summary } = await sync({ onGone: 'bin' })
      assert.deepEqual([summary.gone, summary.goneBinned, await countBinned()], [3, 3, 3])
      assert.deepEqual(await tree(), { b: before.b, 'sub/': '' })
      assert.equal((await sync({ onGone: 'bin' })).summary.gone, 0)

      await putFile(path, 'a.gh', definition('a'))
      await putFile(path, 'elsewhere/c.gh', definition('c'))
      const back = await sync({ onGone: 'bin' })
      assert.deepEqual([back.summary.restored, back.summary.created, await countBinned()], [2, 0, 1])
      const { 'sub/': _, ...now } = await tree()
      assert.deepEqual(now, { a: before.a, b: before.b, 'elsewhere/c': before['sub/c'] })

      await remove('a.gh')
      await sync({ onGone: 'bin' })
      await restoreAll()
      const kept = await sync({ onGone: 'bin' })
      assert.deepEqual([kept.summary.gone, kept.summary.goneBefore, await countBinned()], [0, 2, 0])
      assert.equal((await tree()).a, before.a)
    })

    test('[IMP-29] given a folder that is empty, missing, or of which much is gone, when it is imported with --gone bin, then nothing is put into the bin', async (t) => {
      const files = Array.from({ length: 30 }, (_, i) => [
        `${i < 20 ? 'drive' : 'rest'}/${i}.gh`,
        definition(`${i}`),
      ])
      const { sync, tree, remove, countBinned, path } = await start(t, kind, Object.fromEntries(files))
      await sync()
      const before = await tree()
      await remove('drive')
      await mkdir(join(path, 'drive'))
      const { summary } = await sync({ onGone: 'bin' })
      assert.deepEqual(summary.tooManyGone, { gone: 20, files: 30, maxPercent: 25 })
      assert.deepEqual([summary.gone, summary.goneBinned, await countBinned()], [20, 0, 0])
      const away = await createFolder(t)
      await rename(join(path, 'rest'), join(away, 'rest'))
      await remove('drive')
      await assert.rejects(sync({ onGone: 'bin' }), /is empty, although 30 files were imported from it/)
      await rename(path, `${path}-away`)
      await assert.rejects(sync({ onGone: 'bin' }), { code: 'ENOENT' })
      await rename(`${path}-away`, path)
      assert.deepEqual([await tree(), await countBinned()], [before, 0])
      await rename(join(away, 'rest'), join(path, 'rest'))
      const allowed = await sync({ onGone: 'bin', maxGonePercent: 100 })
      assert.deepEqual([allowed.summary.goneBinned, allowed.summary.tooManyGone], [20, null])
    })

    test('[IMP-30] given a tree with every kind of change, when it is imported as a dry run, then it reports what an import does, and writes nothing', async (t) => {
      const files = ['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.gh`, definition(name)])
      const { sync, move, remove, path, database, blobs, tree, bin, version } = await start(
        t,
        kind,
        Object.fromEntries(files),
      )
      await sync()
      await bin((await tree()).e)
      await putFile(path, 'a.gh', definition('changed'))
      await putFile(path, 'new/f.gh', definition('f'))
      await putFile(path, 'broken.gh', 'x')
      await putFile(path, 'site.3dm', createModelFile().bytes)
      await move('b.gh', 'moved/b.gh')
      await remove('c.gh')
      const before = { version: await version(), tree: await tree() }
      const put: unknown[] = []
      const watched: BlobStore = {
        ...blobs,
        put(bytes) {
          put.push(bytes)
          return blobs.put(bytes)
        },
      }
      const dry = await sync({ dryRun: true, onGone: 'bin', blobs: watched })
      const discarded = await database.read.selectFrom('discarded_blob').select('digest').execute()
      assert.deepEqual([await version(), await tree(), put.length], [before.version, before.tree, 0])
      const real = await sync({ onGone: 'bin' })
      assert.ok(
        discarded.length <
          (await database.read.selectFrom('discarded_blob').select('digest').execute()).length,
      )
      assert.deepEqual(outcomes(dry.results), outcomes(real.results))
      assert.deepEqual(outcomes(real.results), {
        'a.gh': 'updated',
        'broken.gh': 'failed',
        'c.gh': 'gone',
        'd.gh': 'unchanged',
        'e.gh': 'binned',
        'moved/b.gh': 'moved',
        'new/f.gh': 'created',
        'site.3dm': 'created',
      })
      const counts = ({ summary: { durationMs: _, dryRun: __, ...rest } }: typeof dry) => rest
      assert.deepEqual(counts(dry), counts(real))
    })

    test('[IMP-31] given models, broken ones and other files beside definitions, when the tree is imported, then models are files of the tree, and the others are counted by their kinds', async (t) => {
      const { bytes, objectId } = createModelFile()
      const { sync, database, path, collectGarbage, blobs } = await start(t, kind, {
        'a.gh': definition('a'),
        'Site/plot.3dm': bytes,
        'broken.ghuser': 'x',
        'plot.3dmbak': '',
        'b/Plan.PDF': '',
        'b/c.pdf': '',
        notes: '',
      })
      const { summary, results } = await sync()
      const { 'Site/plot.3dm': model, 'broken.ghuser': broken } = outcomes(results)
      assert.deepEqual([model, broken, summary.created], ['created', 'failed', 2])
      assert.equal(summary.ignored, 4)
      assert.deepEqual(
        summary.others.map(({ extension, count, examples }) => [extension, count, examples.toSorted()]),
        [
          ['.pdf', 2, ['b/Plan.PDF', 'b/c.pdf']],
          ['', 1, ['notes']],
          ['.3dmbak', 1, ['plot.3dmbak']],
        ],
      )
      const row = () => database.read.selectFrom('team_file').selectAll().executeTakeFirstOrThrow()
      const file = await row()
      assert.deepEqual([file.kind, file.name, file.source_modified], ['model', 'plot.3dm', LONG_AGO])
      assert.equal(JSON.parse(file.facts).objectCount, 1)
      assert.deepEqual(await blobs.read(file.blob), Buffer.from(bytes))
      const objects = () => database.read.selectFrom('model_object').selectAll().execute()
      assert.deepEqual(await objects(), [{ object_id: objectId, file_id: file.id }])

      const other = createModelFile(5)
      await putFile(path, 'Site/plot.3dm', other.bytes, LONG_AGO + 1000)
      assert.equal(outcomes((await sync()).results)['Site/plot.3dm'], 'updated')
      const changed = await row()
      assert.deepEqual([changed.public_id, (await objects())[0]!.object_id], [file.public_id, other.objectId])
      await collectGarbage()
      assert.deepEqual([await blobs.has(file.blob), await blobs.has(changed.blob)], [false, true])
    })
  })
}
