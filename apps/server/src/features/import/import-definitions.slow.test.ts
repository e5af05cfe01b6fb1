import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import type { DocumentId } from '@meadow/contract'
import { deleteVersions } from '../../content/history/versions.store.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import type { Database, Select } from '../../platform/database/database.ts'
import { createClusteredFile } from '../../testing/clustered-file.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createDefinitionFile, IMPORT_3DM } from '../../testing/definition-file.ts'
import { createFolder, LONG_AGO, putFile } from '../../testing/definition-folder.ts'
import { openDefinitionParser } from './definition-parser.ts'
import { givenImport, outcomes, panelText } from './testing/given-import.ts'

/** Shared by all tests, because its process takes a while to start. */
const parser = openDefinitionParser()
after(() => parser[Symbol.asyncDispose]())
const start = (t: TestContext, kind: TestDatabase) => givenImport(t, kind, parser)

for (const kind of FEATURE_DATABASES) {
  describe(`import into ${kind.name}`, kind.options, () => {
    test('[IMP-1] [IMP-2] given a tree, when it is imported, then folders become folders and definitions become documents', async (t) => {
      const { run, tree } = await start(t, kind)
      const file = createDefinitionFile()
      const path = await createFolder(t, {
        'a.gh': file,
        'b/c/d.GHX': createDefinitionFile({ form: 'ghx' }),
        'b/e.Gh': file,
        'b/model.pdf': 'not a definition',
      })
      await mkdir(join(path, 'empty'))
      const { summary } = await run(path)
      assert.deepEqual(Object.keys(await tree()).sort(), ['a', 'b/c/d', 'b/e', 'empty/'])
      const { created, failed, ignored, foldersCreated, interrupted } = summary
      assert.deepEqual(
        { created, failed, ignored, foldersCreated, interrupted },
        {
          created: 3,
          failed: 0,
          ignored: 1,
          foldersCreated: 3,
          interrupted: false,
        },
      )
    })

    test('[NAME-2] given folders and files with hidden characters in their names, when they are imported twice, then the names are cleaned, and nothing is made again', async (t) => {
      const { run, tree } = await start(t, kind)
      const path = await createFolder(t, { 'Fa\u202ecades\nold/To\u200bwer.gh': createDefinitionFile() })
      const first = await run(path)
      assert.deepEqual(Object.keys(await tree()), ['Facades old/Tower'])
      assert.deepEqual([first.summary.created, first.summary.foldersCreated], [1, 1])
      const again = await run(path)
      assert.deepEqual([again.summary.created, again.summary.foldersCreated], [0, 0])
      await rename(
        join(path, 'Fa\u202ecades\nold/To\u200bwer.gh'),
        join(path, 'Fa\u202ecades\nold/Mast\u200b.gh'),
      )
      await run(path)
      assert.deepEqual(Object.keys(await tree()), ['Facades old/Mast'])
    })

    test('[IMP-1] given folders of the team, when a tree is imported into one, then folders of the same name are merged', async (t) => {
      const { run, tree, folder } = await start(t, kind)
      const target = await folder('Facades')
      await folder('2026', target.key)
      const path = await createFolder(t, {
        '2026/a.gh': createDefinitionFile(),
        '2027/b.gh': createDefinitionFile(),
      })
      const { summary } = await run(path, { target: target.key })
      assert.deepEqual(Object.keys(await tree()).sort(), ['Facades/2026/a', 'Facades/2027/b'])
      assert.equal(summary.foldersCreated, 1)
    })

    test('[IMP-2] given one definition, when it is imported alone and later with its folder, then it has one document', async (t) => {
      const { run, tree } = await start(t, kind)
      const path = await createFolder(t, { 'a.gh': createDefinitionFile(), 'b.gh': createDefinitionFile() })
      await run(join(path, 'a.gh'))
      const before = await tree()
      assert.deepEqual(Object.keys(before), ['a'])
      assert.deepEqual(outcomes((await run(path)).results), { 'a.gh': 'unchanged', 'b.gh': 'created' })
      assert.equal((await tree()).a, before.a)
    })

    test('given neither a folder nor a definition, when it is imported, then the import fails', async (t) => {
      const { run } = await start(t, kind)
      const path = await createFolder(t, { 'plan.pdf': '' })
      await assert.rejects(
        run(join(path, 'plan.pdf')),
        /neither a folder nor a file that is imported \(\.gh, /,
      )
      await assert.rejects(run(join(path, 'none')), { code: 'ENOENT' })
    })

    test('[IMP-3] given a .gh and a .ghx of the same name, when they are imported, then they become two documents', async (t) => {
      const { run, tree } = await start(t, kind)
      const path = await createFolder(t, {
        'Tower.gh': createDefinitionFile(),
        'Tower.ghx': createDefinitionFile({ form: 'ghx' }),
        'Alone.ghx': createDefinitionFile({ form: 'ghx' }),
      })
      await run(path)
      assert.deepEqual(Object.keys(await tree()).sort(), ['Alone', 'Tower', 'Tower.ghx'])
    })

    test('[IMP-4] given files with times in the past and in the future, when they are imported and one changes, then documents have the times of the import, in the order of those of the files, and files their own', async (t) => {
      const { run, tree, read, database } = await start(t, kind)
      const path = await createFolder(t)
      const future = Date.UTC(2090, 0)
      await putFile(path, 'a.gh', createDefinitionFile(), future)
      await putFile(path, 'b.gh', createDefinitionFile(), LONG_AGO + 5000)
      await putFile(path, 'c.gh', createDefinitionFile(), LONG_AGO)
      const before = Date.now()
      await run(path)
      const timesOf = async (name: string) => {
        const { createdAt, updatedAt } = await read((await tree())[name]!)
        return [createdAt, updatedAt].map((time) => Date.parse(time)) as [number, number]
      }
      const [a, b, c] = [await timesOf('a'), await timesOf('b'), await timesOf('c')]
      assert.ok(a[1] > b[1] && b[1] > c[1] && c[1] >= before - 3 && a[1] <= Date.now() + 3, `${a} ${b} ${c}`)
      for (const [createdAt, updatedAt] of [a, b, c]) assert.equal(createdAt, updatedAt)
      const own = await database.read
        .selectFrom('document')
        .select('source_modified')
        .orderBy('name')
        .execute()
      assert.deepEqual(
        own.map((row) => row.source_modified),
        [future, LONG_AGO + 5000, LONG_AGO],
      )
      // An older version of the file is put back: that is a change of today.
      await putFile(path, 'c.gh', createDefinitionFile({ text: 'older' }), LONG_AGO - 1000)
      await run(path)
      const changed = await timesOf('c')
      assert.equal(changed[0], c[0])
      assert.ok(changed[1] > a[1])
    })

    test('[IMP-5] given an imported tree, when it is imported again, then nothing is written and ids are the same', async (t) => {
      const { run, tree, version } = await start(t, kind)
      const path = await createFolder(t, { 'a.gh': createDefinitionFile(), 'b/c.gh': createDefinitionFile() })
      await run(path)
      const before = { tree: await tree(), version: await version() }
      assert.deepEqual(outcomes((await run(path)).results), { 'a.gh': 'unchanged', 'b/c.gh': 'unchanged' })
      assert.deepEqual({ tree: await tree(), version: await version() }, before)
    })

    test('[IMP-5] given the same bytes with another time, when they are imported again, then the document stays', async (t) => {
      const { run, tree, read, version } = await start(t, kind)
      const path = await createFolder(t, { 'a.gh': createDefinitionFile() })
      await run(path)
      const before = await read((await tree()).a!)
      await putFile(path, 'a.gh', createDefinitionFile(), LONG_AGO + 86_400_000)
      assert.deepEqual(outcomes((await run(path)).results), { 'a.gh': 'unchanged' })
      const { file, ...after } = await read((await tree()).a!)
      assert.deepEqual({ ...after, file: before.file }, before)
      assert.equal(file?.modifiedAt, new Date(LONG_AGO + 86_400_000).toISOString())
      const recorded = await version()
      await run(path)
      assert.equal(await version(), recorded, 'the new time is recorded')
    })

    test('[IMP-6] given a file with other bytes, when it is imported again, then its document has the new content and keeps its id', async (t) => {
      const { run, tree, read } = await start(t, kind)
      const path = await createFolder(t, {
        'a.gh': createDefinitionFile({ text: 'old' }),
        'b.gh': createDefinitionFile(),
      })
      await run(path)
      const before = await tree()
      await putFile(path, 'a.gh', createDefinitionFile({ text: 'new' }), LONG_AGO + 1000)
      assert.deepEqual(outcomes((await run(path)).results), { 'a.gh': 'updated', 'b.gh': 'unchanged' })
      assert.deepEqual(await tree(), before)
      const document = await read(before.a!)
      assert.equal(panelText(document), 'new')
    })

    test('[IMP-7] given a folder that was moved on the disk, when it is imported from there, then its documents are the same', async (t) => {
      const { run, tree } = await start(t, kind)
      const path = await createFolder(t, {
        'old/a.gh': createDefinitionFile(),
        'old/b/c.gh': createDefinitionFile(),
      })
      await run(join(path, 'old'))
      const before = await tree()
      await rename(join(path, 'old'), join(path, 'new'))
      const { results } = await run(join(path, 'new'))
      assert.deepEqual(outcomes(results), { 'a.gh': 'unchanged', 'b/c.gh': 'unchanged' })
      assert.deepEqual(await tree(), before)
    })

    test('[IMP-8] given a file that changed just before it was read, when it changes again with the same size and time, then it is updated', async (t) => {
      const { run, tree, read } = await start(t, kind)
      const path = await createFolder(t)
      const now = new Date()
      await writeFile(join(path, 'a.gh'), createDefinitionFile({ text: 'one', form: 'ghx' }))
      await utimes(join(path, 'a.gh'), now, now)
      await run(path)
      await writeFile(join(path, 'a.gh'), createDefinitionFile({ text: 'two', form: 'ghx' }))
      await utimes(join(path, 'a.gh'), now, now)
      assert.deepEqual(outcomes((await run(path)).results), { 'a.gh': 'updated' })
      assert.equal(panelText(await read((await tree()).a!)), 'two')
    })

    test('[IMP-9] given files that cannot be read, when they are imported, then each is reported and the rest is imported', async (t) => {
      const { run, tree } = await start(t, kind)
      const path = await createFolder(t, {
        'good.gh': createDefinitionFile(),
        'empty.gh': '',
        'text.ghx': 'hello',
        'cut.gh': createDefinitionFile().subarray(0, 40),
      })
      await symlink('nowhere.gh', join(path, 'link.gh'))
      const { results, summary } = await run(path)
      assert.deepEqual(outcomes(results), {
        'good.gh': 'created',
        'empty.gh': 'failed',
        'text.ghx': 'failed',
        'cut.gh': 'failed',
        'link.gh': 'failed',
      })
      assert.equal(summary.failed, 4)
      for (const result of results) if (result.outcome === 'failed') assert.match(result.reason, /^\S.{5,}/)
      assert.deepEqual(Object.keys(await tree()), ['good'])
    })

    test('[IMP-9] given a document whose file was damaged, when it is imported again, then the document stays', async (t) => {
      const { run, tree, read } = await start(t, kind)
      const path = await createFolder(t, { 'a.gh': createDefinitionFile({ text: 'whole' }) })
      await run(path)
      await putFile(path, 'a.gh', 'broken', LONG_AGO + 1000)
      assert.deepEqual(outcomes((await run(path)).results), { 'a.gh': 'failed' })
      assert.equal(panelText(await read((await tree()).a!)), 'whole')
    })

    test('[IMP-10] given hidden files and links, when they are imported, then only links to files of the folder are followed', async (t) => {
      const { run, tree } = await start(t, kind)
      const path = await createFolder(t, {
        '.git/a.gh': createDefinitionFile(),
        '._b.gh': 'not for us',
        'c/d.gh': createDefinitionFile(),
      })
      const outside = await createFolder(t, { 'f.gh': createDefinitionFile({ text: 'secret' }) })
      await symlink('c/d.gh', join(path, 'e.gh'))
      await symlink('..', join(path, 'c', 'up'))
      await symlink(join(outside, 'f.gh'), join(path, 'f.gh'))
      const { results, summary } = await run(path)
      assert.deepEqual(Object.keys(await tree()).sort(), ['c/d', 'e'])
      assert.deepEqual(
        results
          .filter(({ outcome }) => outcome === 'skipped')
          .map(({ path }) => path)
          .sort(),
        ['c/up', 'f.gh'],
      )
      assert.equal(summary.failed, 0)
    })

    test('[IMP-11] given missing files and folders, when the rest is imported, then their documents are reported and stay', async (t) => {
      const { run, tree } = await start(t, kind)
      const path = await createFolder(t, {
        'a.gh': createDefinitionFile(),
        'b.gh': createDefinitionFile(),
        'c/d/e.gh': createDefinitionFile(),
      })
      await run(path)
      const before = await tree()
      await rm(join(path, 'b.gh'))
      await rm(join(path, 'c'), { recursive: true })
      const { results, summary } = await run(path)
      const missing = results.flatMap((result) =>
        result.outcome === 'gone' ? [[result.path, result.documentId]] : [],
      )
      assert.deepEqual(missing.sort(), [
        ['b.gh', before.b],
        ['c/d/e.gh', before['c/d/e']],
      ])
      assert.deepEqual({ gone: summary.gone, failed: summary.failed }, { gone: 2, failed: 0 })
      assert.deepEqual(await tree(), before)
    })

    test('[IMP-11] given two folders that were imported into the same folder, when one is imported again, then documents of the other are not reported as missing', async (t) => {
      const { run } = await start(t, kind)
      const one = await createFolder(t, { 'a.gh': createDefinitionFile() })
      const two = await createFolder(t, { 'b.gh': createDefinitionFile() })
      await run(one)
      await run(two)
      assert.equal((await run(one)).summary.gone, 0)
    })

    test('[IMP-12] given two concurrent imports, when both are done, then each folder and document exists once', async (t) => {
      const { run, tree } = await start(t, kind)
      const files = Array.from({ length: 120 }, (_, i) => [
        `f${i % 7}/${i}.gh`,
        createDefinitionFile({ text: String(i) }),
      ])
      const path = await createFolder(t, Object.fromEntries(files))
      const [one, two] = await Promise.all([run(path), run(path)])
      assert.equal(one.summary.created + two.summary.created, 120)
      assert.equal(one.summary.failed + two.summary.failed, 0)
      assert.deepEqual(
        Object.keys(await tree()).sort(),
        files.map(([path]) => String(path).slice(0, -3)).sort(),
      )
    })

    test('[IMP-13] given an import that failed midway, when it is run again, then the result is complete, with each file once', async (t) => {
      const { run, tree, blobs } = await start(t, kind)
      const files = Array.from({ length: 130 }, (_, i) => [
        `f${i % 3}/${i}.gh`,
        createDefinitionFile({ text: String(i) }),
      ])
      const path = await createFolder(t, Object.fromEntries(files))
      let puts = 0
      const breaking: BlobStore = {
        ...blobs,
        put: (bytes) => (++puts === 70 ? Promise.reject(new Error('no more')) : blobs.put(bytes)),
      }
      await assert.rejects(run(path, { blobs: breaking }), { name: 'StorageError' })
      const { summary } = await run(path)
      assert.ok(summary.unchanged >= 40, 'what was written before stays')
      assert.equal(summary.created + summary.unchanged, 130)
      assert.deepEqual(
        Object.keys(await tree()).sort(),
        files.map(([file]) => String(file).slice(0, -3)).sort(),
      )
    })

    test('[IMP-14] given an import that is stopped, when it has ended, then the reported files are imported, and a second run imports the rest', async (t) => {
      const { run, tree } = await start(t, kind)
      const files = Array.from({ length: 130 }, (_, i) => [
        `${i}.gh`,
        createDefinitionFile({ text: String(i) }),
      ])
      const path = await createFolder(t, Object.fromEntries(files))
      const stop = new AbortController()
      const blobs = await openDiskBlobs(await createFolder(t))
      let puts = 0
      const stopping: BlobStore = {
        ...blobs,
        put(bytes) {
          if (++puts === 70) stop.abort()
          return blobs.put(bytes)
        },
      }
      const { summary, results } = await run(path, { signal: stop.signal, blobs: stopping })
      assert.equal(summary.interrupted, true)
      assert.ok(summary.created >= 50 && summary.created < 130, String(summary.created))
      assert.equal(summary.failed, 0)
      assert.equal(Object.keys(await tree()).length, summary.created)
      assert.equal(results.length, summary.created)
      const { summary: rest } = await run(path)
      assert.deepEqual(
        { created: rest.created, unchanged: rest.unchanged, interrupted: rest.interrupted },
        { created: 130 - summary.created, unchanged: summary.created, interrupted: false },
      )
    })

    test('[IMP-16] given small and large definitions, when they are imported, then originals are stored and contents can be read', async (t) => {
      const { run, tree, read, blobs } = await start(t, kind)
      const large = createDefinitionFile({ text: 'x'.repeat(300_000) })
      const small = createDefinitionFile({ text: 'small' })
      await run(await createFolder(t, { 'large.gh': large, 'small.gh': small }))
      const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
      assert.deepEqual(await blobs.read(sha256(large)), Buffer.from(large))
      assert.deepEqual(await blobs.read(sha256(small)), Buffer.from(small))
      const { large: largeId, small: smallId } = await tree()
      assert.equal(String(panelText(await read(largeId!))).length, 300_000)
      assert.equal(panelText(await read(smallId!)), 'small')
    })

    test('[IMP-18] given documents that an older parser created, when their files are imported with `force`, then they have the content of the current parser', async (t) => {
      const { run, tree, read, database } = await start(t, kind)
      const file = createDefinitionFile()
      const path = await createFolder(t, { 'old.gh': file, 'same.gh': file, 'edited.gh': file })
      await run(path)
      const ids = await tree()
      const documentOf = (name: string) => ids[name] as DocumentId
      await database.transaction(async (write) => {
        const old = write.selectFrom('document').where('public_id', '=', documentOf('old')).select('id')
        const nothing = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }
        const content = Buffer.from(JSON.stringify(nothing))
        await write.updateTable('document_snapshot').set({ content }).where('document_id', '=', old).execute()
        const edited = write.updateTable('document').where('public_id', '=', documentOf('edited'))
        await edited.set(({ eb }) => ({ seq: eb('seq', '+', 1) })).execute()
      })
      assert.deepEqual(new Set(Object.values(outcomes((await run(path)).results))), new Set(['unchanged']))
      assert.deepEqual((await read(ids.old!)).nodes, {})
      const { results } = await run(path, { force: true })
      assert.deepEqual(outcomes(results), {
        'old.gh': 'updated',
        'same.gh': 'unchanged',
        'edited.gh': 'unchanged',
      })
      assert.equal(panelText(await read(ids.old!)), 'hello')
      assert.deepEqual(await tree(), ids)
    })

    test('[IMP-25] given a file with the view that it was saved at, when it is imported, moved and imported by `force`, then its document has the view', async (t) => {
      const { run, database } = await start(t, kind)
      const view = { x: -968, y: 24, zoom: 0.75 }
      const path = await createFolder(t, { 'a.gh': createDefinitionFile({ view }) })
      const readView = async () => {
        const row = await database.read.selectFrom('document').select('source_view').executeTakeFirstOrThrow()
        return row.source_view && JSON.parse(row.source_view)
      }
      await run(path)
      assert.deepEqual(await readView(), view)
      await putFile(path, 'a.gh', createDefinitionFile({ view }), LONG_AGO + 86_400_000)
      await run(path)
      assert.deepEqual(await readView(), view, 'the file is not read again')
      await database.transaction((write) =>
        write.updateTable('document').set({ source_view: null }).execute(),
      )
      await run(path, { force: true })
      assert.deepEqual(await readView(), view)
    })

    test('[IMP-19] given an import that is killed before its documents are written, when a day has passed, then its blobs are removed', async (t) => {
      const { run, blobs, database, collectGarbage } = await start(t, kind)
      const [large, small] = [createDefinitionFile({ text: 'x'.repeat(300_000) }), createDefinitionFile()]
      const path = await createFolder(t, { 'large.gh': large, 'small.gh': small })
      const put: string[] = []
      const watched: BlobStore = {
        ...blobs,
        put: async (bytes) => {
          const stored = await blobs.put(bytes)
          put.push(stored.digest)
          return stored
        },
      }
      const readVersion = (select: Select) =>
        select.selectFrom('team').select('version').executeTakeFirstOrThrow()
      const killed: Database = {
        ...database,
        transaction: (work) =>
          database.transaction(async (write) => {
            const before = await readVersion(write)
            const result = await work(write)
            if ((await readVersion(write)).version !== before.version) throw new Error('killed')
            return result
          }),
      }
      await assert.rejects(run(path, { blobs: watched, database: killed }), /killed/)
      assert.equal(put.length, 3)
      await collectGarbage()
      for (const digest of put) assert.equal(await blobs.has(digest), false)
    })

    test('[IMP-19] given a file that changed, when a day has passed, then its blobs are stored, and the previous ones are removed with the versions that have them', async (t) => {
      const { run, tree, read, blobs, collectGarbage, database } = await start(t, kind)
      const files = ['x', 'y'].map((character) => createDefinitionFile({ text: character.repeat(300_000) }))
      const [before, after] = files.map((file) => createHash('sha256').update(file).digest('hex'))
      const path = await createFolder(t, { 'a.gh': files[0]! })
      await run(path)
      await collectGarbage()
      assert.ok(await blobs.has(before!))
      await putFile(path, 'a.gh', files[1]!, LONG_AGO + 5000)
      await run(path)
      await collectGarbage()
      assert.deepEqual([await blobs.has(before!), await blobs.has(after!)], [true, true])
      const versions = await database.read
        .selectFrom('document_version')
        .select(['id', 'document_id as document', 'kind', 'nodes'])
        .execute()
      assert.deepEqual(
        versions.map(({ kind }) => kind),
        ['import'],
      )
      await database.transaction((write) =>
        deleteVersions(
          write,
          versions[0]!.document,
          versions.map(({ id }) => id),
        ),
      )
      await collectGarbage()
      assert.deepEqual([await blobs.has(before!), await blobs.has(after!)], [false, true])
      assert.equal(String(panelText(await read((await tree()).a!)))[0], 'y')
    })

    test('given a dangling wire, when it is imported, then there is a note, which is counted', async (t) => {
      const { run } = await start(t, kind)
      const file = createDefinitionFile({ danglingWire: true })
      const { summary, results } = await run(await createFolder(t, { 'a.gh': file, 'b.gh': file }))
      assert.deepEqual(summary.notes, [{ kind: 'dropped_wire', count: 2, files: 2 }])
      assert.ok(results.every((result) => 'notes' in result && result.notes[0]!.kind === 'dropped_wire'))
    })

    test('[IMP-23] given clusters and nodes that cannot be solved, when they are imported, then the results list them and the summary counts them', async (t) => {
      const { run } = await start(t, kind)
      const files = {
        'a.gh': createDefinitionFile({ unsolvable: true }),
        'b.gh': createClusteredFile(2, { pointClass: IMPORT_3DM }),
        'c.gh': createDefinitionFile(),
      }
      const { summary, results } = await run(await createFolder(t, files))
      const counts = results.map((result) => [
        'unsolvable' in result && result.unsolvable.length,
        result.path,
      ])
      assert.deepEqual(counts.sort(), [
        [0, 'c.gh'],
        [1, 'b.gh'],
        [3, 'a.gh'],
      ])
      const { documents, nodes, causes, worst } = summary.unsolvable
      const import3dm = 'Import 3DM is not supported: it reads a file that is not in the document'
      assert.deepEqual([documents, nodes, causes[0]], [2, 4, { cause: import3dm, nodes: 2, documents: 2 }])
      assert.deepEqual(worst.map(({ path }) => path).sort(), ['a.gh', 'b.gh'])
    })

    test('[IMP-17] given blobs that cannot be written, when a tree is imported, then the import ends with the reason', async (t) => {
      const { run, tree, blobs } = await start(t, kind)
      const full: BlobStore = {
        ...blobs,
        put: async () => {
          throw Object.assign(new Error('write'), { code: 'ENOSPC' })
        },
      }
      const path = await createFolder(t, {
        'a.gh': createDefinitionFile(),
        'b.gh': createDefinitionFile({ text: 'b' }),
      })
      await assert.rejects(run(path, { blobs: full }), {
        name: 'StorageError',
        message: 'the disk is full',
      })
      assert.deepEqual(await tree(), { '': '' })
    })
  })
}
