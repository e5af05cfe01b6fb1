import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { type Document, NAMED_SCHEMAS, readDocument } from '@meadow/contract'
import { Compile } from 'typebox/compile'
import { createDocument } from '../../library/documents.ts'
import { refreshSource } from '../../library/sources.ts'
import { discardBlobsUnlessUsed } from '../../team/content-blobs.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { CLUSTERED, createClusteredFile } from '../../testing/clustered-file.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { createFolder, LONG_AGO, putFile } from '../../testing/definition-folder.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { removeDiscardedBlobs } from '../housekeeping/garbage-collection.ts'
import { openDefinitionParser } from '../import/definition-parser.ts'
import { importDefinitions } from '../import/import-definitions.ts'

const OLD = new Date(LONG_AGO).toISOString()
const named = Object.fromEntries(NAMED_SCHEMAS.map((known) => [(known as { $id?: string }).$id, known]))
const validator = Compile(named as never, readDocument.response)

/** Shared by all tests, because its process takes a while to start. */
const parser = openDefinitionParser()
after(() => parser[Symbol.asyncDispose]())

/** A server with a folder of files that can be imported. */
async function start(t: TestContext, kind: TestDatabase, files: Record<string, Uint8Array>) {
  const app = await startWebApp(t, kind)
  const path = await createFolder(t, files)
  const { key: root } = await app.fixtures.root(app.team)
  const { blobs } = app.service
  return {
    ...app,
    path,
    root,
    blobs,
    async run(force = false) {
      const request = { team: app.team.key, target: root, path, force, onResult: () => {} }
      const signal = new AbortController().signal
      return importDefinitions({ database: app.database, blobs, parser }, { ...request, signal })
    },
    async read(name: string): Promise<{ document: Document; tag: string }> {
      const found = await app.get(`/documents?q=${name}`)
      const { headers, json } = await app.get(`/documents/${found.json.documents[0].id}`)
      const [fault] = validator.Errors(json)
      assert.ok(validator.Check(json), fault && `${fault.instancePath}: ${fault.message}`)
      return { document: json.document, tag: headers.get('etag')! }
    },
  }
}

for (const kind of FEATURE_DATABASES) {
  describe(`files of documents on ${kind.name}`, kind.options, () => {
    test('[DOC-31, DOC-32, DOC-33] given imported definitions, when they are read, then they have their file and their clusters, in the shape of the contract', async (t) => {
      const { run, read, path, get } = await start(t, kind, {
        'Deep.gh': createClusteredFile(7),
        'Robots.ghx': createDefinitionFile({ unsolvable: true, form: 'ghx' }),
      })
      await run()
      const { document, tag } = await read('Deep')
      const { file, clusters } = document
      const versions = { grasshopper: '1.0.8', archive: '0.2.2' }
      const robots = { id: file!.plugins![0]!.id, name: 'Robots', version: '1.6.9', author: '' }
      assert.deepEqual(file, {
        name: 'Deep.gh',
        createdAt: OLD,
        modifiedAt: OLD,
        plugins: [{ ...robots, nodeCount: 0 }],
        versions,
      })
      const outer = clusters![CLUSTERED.cluster]!
      assert.ok('nodes' in outer)
      assert.deepEqual(Object.keys(outer.ports), Object.keys(document.nodes[CLUSTERED.cluster]!.ports))
      assert.ok(Object.values(outer.ports).every((id) => outer.nodes[id]))
      const [inner] = Object.values(outer.clusters!)
      assert.ok(inner && 'nodes' in inner && inner.clusters === undefined)
      assert.match(JSON.stringify(inner.nodes), /x\*7/)

      const other = await read('Robots')
      assert.deepEqual(other.document.clusters, {})
      assert.deepEqual(other.document.file!.plugins, [{ ...robots, nodeCount: 1 }])

      assert.equal(
        (await get(`/documents/${document.id}`, { headers: { 'if-none-match': tag } })).status,
        304,
      )
      await putFile(path, 'Deep.gh', createClusteredFile(7), LONG_AGO + 1000)
      await run()
      const later = await read('Deep')
      assert.notEqual(later.tag, tag)
      assert.equal(later.document.file!.modifiedAt, new Date(LONG_AGO + 1000).toISOString())
    })

    test('[DOC-34] given documents that were imported before, when they are imported with `force`, then they have the facts; an edited one keeps its content', async (t) => {
      const { run, read, database } = await start(t, kind, {
        'Plain.gh': createDefinitionFile({ text: 'one' }),
        'Edited.gh': createClusteredFile(3),
      })
      await run()
      await database.transaction(async (write) => {
        await write.deleteFrom('document_facts').execute()
        await write.updateTable('document').set({ source_facts: null, source_reading: null }).execute()
        const edited = write.updateTable('document').where('name', '=', 'Edited')
        await edited.set(({ eb }) => ({ seq: eb('seq', '+', 1) })).execute()
        const ids = write.selectFrom('document').where('name', '=', 'Edited').select('id')
        await write.updateTable('document_snapshot').set({ seq: 2 }).where('document_id', 'in', ids).execute()
      })
      const before = await read('Plain')
      assert.deepEqual(before.document.file, { name: 'Plain.gh', createdAt: OLD, modifiedAt: OLD })
      assert.equal(before.document.clusters, undefined)
      const edited = (await read('Edited')).document
      await run()
      assert.equal((await read('Plain')).tag, before.tag)
      await run(true)
      const after = await read('Plain')
      assert.notEqual(after.tag, before.tag)
      assert.ok(after.document.file!.plugins)
      const { file, clusters, ...rest } = (await read('Edited')).document
      assert.deepEqual({ ...rest, file: edited.file }, edited)
      assert.ok(file!.plugins && clusters![CLUSTERED.cluster])
      const rows = await database.read.selectFrom('document').select(['name', 'source_reading']).execute()
      assert.deepEqual(Object.fromEntries(rows.map((row) => [row.name, row.source_reading])), {
        Plain: 3,
        Edited: null,
      })
    })

    test('[DOC-35] given imported documents, when the app reads their files, then members get them, visitors do not, and a document made here has none', async (t) => {
      const { run, read, signIn, open, fixtures, team } = await start(t, kind, {
        'Deep.gh': createClusteredFile(2),
      })
      await run()
      const { id, file, clusters } = (await read('Deep')).document
      const ann = await signIn('Ann', 'member')
      assert.deepEqual((await ann.get(`/documents/${id}/file`)).json, { file, clusters })
      await ann.request('PATCH', `/documents/${id}`, { visibility: 'public' })
      assert.deepEqual((await open().get(`/documents/${id}/file`)).json, { file: null, clusters: {} })
      const made = await fixtures.document(team)
      assert.deepEqual((await ann.get(`/documents/${made}/file`)).json, { file: null, clusters: {} })
    })

    test('[DOC-36] given clusters that are in the blob store, when they are replaced, then their blob is removed, and that of the new ones stays', async (t) => {
      const { database, blobs, team, root, get } = await start(t, kind, {})
      const put = async (text: string) => {
        const clusters = { [text]: { reason: 'missing', message: 'x'.repeat(200_000) } }
        const { digest, size } = await blobs.put(Buffer.from(JSON.stringify(clusters)))
        await discardBlobsUnlessUsed(database, [digest])
        return { kind: 'blob', digest, size } as const
      }
      const content = {
        kind: 'inline',
        bytes: Buffer.from('{"nodes":{},"groups":[],"configuration":{"inputs":[],"outputs":[]}}'),
      } as const
      const { digest: blob } = await blobs.put(Buffer.from('a file'))
      const first = await put('one')
      const sourceWith = (clusters: typeof first) => ({
        ...{ root, from: '/', path: 'a.gh', sha256: blob, blob, sizeBytes: 6, mtimeMs: null },
        facts: { file: '{"plugins":[]}', clusters },
      })
      const { id, key } = await changeTeam(database, team.key, (change) =>
        createDocument(change, {
          folder: root,
          name: 'a',
          content,
          references: [],
          source: sourceWith(first),
        }),
      )
      const collect = () => removeDiscardedBlobs(database, blobs, Date.now() + 60_000)
      await collect()
      assert.deepEqual(Object.keys((await get(`/documents/${id}`)).json.document.clusters), ['one'])
      const second = await put('two')
      await changeTeam(database, team.key, (change) =>
        refreshSource(change, { kind: 'document', key }, sourceWith(second)),
      )
      await collect()
      assert.deepEqual([await blobs.has(first.digest), await blobs.has(second.digest)], [false, true])
      assert.deepEqual(Object.keys((await get(`/documents/${id}`)).json.document.clusters), ['two'])
    })
  })
}
