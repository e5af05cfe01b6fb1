import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { formatBytes } from '@meadow/contract'
import { createContentStore } from '../content/content.store.ts'
import { deletePermanently } from '../features/bin/delete-permanently.ts'
import { openDefinitionParser } from '../features/import/definition-parser.ts'
import { importDefinitions } from '../features/import/import-definitions.ts'
import type { ImportResult, OnConflict } from '../features/import/import-result.ts'
import { putDocumentIntoBin } from '../library/bin.ts'
import { createDocument, updateDocument } from '../library/documents.ts'
import { openDiskBlobs } from '../platform/blobs/disk.ts'
import type { Database } from '../platform/database/database.ts'
import { DATABASES, type TestDatabase } from '../testing/databases.ts'
import { createDefinitionFile } from '../testing/definition-file.ts'
import { createFolder, putFile } from '../testing/definition-folder.ts'
import { givenActor } from '../testing/given-actor.ts'
import { givenTeam } from '../testing/given-team.ts'
import { createCommandLine } from '../testing/meadow-server.ts'
import { startWebApp } from '../testing/start-web-app.ts'
import type { NewContent } from './content-blobs.ts'
import type { DocumentSource } from './document-writes.ts'
import { getQuota } from './quotas.ts'
import { changeTeam } from './team-transaction.ts'
import { setLimits } from './teams.ts'

async function start(t: TestContext, kind: TestDatabase) {
  const database = await kind.open(t)
  const fixtures = await givenTeam(database)
  const { team } = fixtures
  return {
    ...fixtures,
    database,
    use: async () => (await getQuota(database.read, team)).use,
    limit: (limits: { bytes?: number | null; documents?: number | null }) =>
      changeTeam(database, team, (change) => setLimits(change, limits)),
  }
}

const EMPTY = '{"nodes":{}}'
const inline = (bytes: number): NewContent => ({ kind: 'inline', bytes: Buffer.from(EMPTY.padEnd(bytes)) })

const sourceOf = (root: DocumentSource['root'], path: string, sizeBytes: number): DocumentSource => ({
  root,
  from: 'upload',
  path,
  sha256: path,
  sizeBytes,
  mtimeMs: null,
  blob: path,
})

/** What the counters must be, counted anew. */
async function countAnew(database: Database) {
  const rows = await database.read
    .selectFrom('document')
    .innerJoin('document_snapshot as stored', 'stored.document_id', 'document.id')
    .where('stored.format', '=', 'json')
    .select(['source_size', 'stored.content'])
    .execute()
  const bytes = rows.map(({ source_size, content }) => (source_size ?? 0) + (content?.length ?? 0))
  return { documents: rows.length, bytes: bytes.reduce((sum, one) => sum + one, 0) }
}

for (const kind of DATABASES) {
  describe(`quotas on ${kind.name}`, kind.options, () => {
    test('[QUO-1, QUO-2] given documents, when they are made, replaced, put into the bin, restored, compacted and deleted permanently, then the counters follow', async (t) => {
      const { database, team, root, document, use } = await start(t, kind)
      const blobs = await openDiskBlobs(await createFolder(t))
      const ann = await givenActor(database, team, { name: 'ann', role: 'owner' })
      assert.deepEqual(await use(), { documents: 0, bytes: 0 })
      const first = await document({ content: inline(100), source: sourceOf(root.key, 'a.gh', 1000) })
      const second = await document({ content: inline(50) })
      assert.deepEqual(await use(), { documents: 2, bytes: 1150 })
      await changeTeam(database, team, (change) =>
        updateDocument(change, first.key, {
          blobs,
          updatedAt: Date.now(),
          content: inline(30),
          readContent: () => assert.fail(),
          source: sourceOf(root.key, 'a.gh', 200),
        }),
      )
      assert.deepEqual(await use(), { documents: 2, bytes: 280 })
      assert.deepEqual(await use(), await countAnew(database))
      await createContentStore(database).compact(second.key, {
        seq: 2,
        state: Buffer.alloc(9),
        json: Buffer.alloc(500),
        shown: { seq: 2, since: 1 },
      })
      assert.deepEqual(await use(), { documents: 2, bytes: 730 })
      await assert.rejects(
        changeTeam(database, team, async (change) => {
          await createDocument(change, {
            folder: root.key,
            name: 'Undone',
            createdAt: 1,
            updatedAt: 1,
            content: inline(1),
          })
          throw new Error('For a test.')
        }),
      )
      await changeTeam(database, team, (change) => putDocumentIntoBin(change, first.key, ann.user))
      assert.deepEqual(await use(), { documents: 2, bytes: 730 })
      const { id: item } = await database.read.selectFrom('bin_item').select('id').executeTakeFirstOrThrow()
      await deletePermanently(database, ann, item)
      assert.deepEqual(await use(), { documents: 1, bytes: 500 })
      assert.deepEqual(await use(), await countAnew(database))
    })

    test('[QUO-3] given limits, when more is stored than there is room for, then it is rejected, also where two come at once; what makes the team store less is accepted', async (t) => {
      const { database, team, root, document, use, limit } = await start(t, kind)
      const blobs = await openDiskBlobs(await createFolder(t))
      const first = await document({ content: inline(600), source: sourceOf(root.key, 'a.gh', 100) })
      await limit({ bytes: 1000 })
      const both = await Promise.allSettled([
        document({ content: inline(200) }),
        document({ content: inline(200) }),
      ])
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const [rejected] = both.filter((one) => one.status === 'rejected')
      assert.equal(rejected!.reason.name, 'QuotaError')
      assert.match(rejected!.reason.message, /stores 900 bytes and may store 1,000 bytes.*200 bytes more/)
      assert.deepEqual(await use(), { documents: 2, bytes: 900 })
      const replace = (bytes: number) =>
        changeTeam(database, team, (change) =>
          updateDocument(change, first.key, {
            blobs,
            updatedAt: Date.now(),
            content: inline(bytes),
            readContent: () => assert.fail(),
            source: sourceOf(root.key, 'a.gh', 100),
          }),
        )
      await replace(700)
      await assert.rejects(replace(701), { name: 'QuotaError' })
      await limit({ bytes: 10, documents: 2 })
      await replace(699)
      await limit({ bytes: null })
      await assert.rejects(document({ content: inline(1) }), {
        name: 'QuotaError',
        message: /has 2 documents, and may have 2/,
      })
      await limit({ documents: null })
      await document({ content: inline(1) })
    })

    test('[QUO-4] given a team at its limit, when a document is edited, then the edit is stored, and counts', async (t) => {
      const { database, document, use, limit } = await start(t, kind)
      const { key } = await document({ content: inline(100) })
      await limit({ bytes: 100, documents: 1 })
      await createContentStore(database).compact(key, {
        seq: 2,
        state: Buffer.alloc(9),
        json: Buffer.alloc(300),
        shown: { seq: 2, since: 1 },
      })
      assert.deepEqual(await use(), { documents: 1, bytes: 300 })
    })

    test('[QUO-5] given room for some of the files, when a folder is imported, then those are taken in, each other one is reported, and a conflict leaves its document to its file', async (t) => {
      const { database, team, root, limit, use } = await start(t, kind)
      const blobs = await openDiskBlobs(await createFolder(t))
      await using parser = openDefinitionParser()
      const file = (text: string) => createDefinitionFile({ text })
      const path = await createFolder(t, { 'a.gh': file('a'), 'b.gh': file('b'), 'c.gh': file('c') })
      const run = async (onConflict: OnConflict = 'copy') => {
        const results: ImportResult[] = []
        const { signal } = new AbortController()
        const request = {
          path,
          team,
          target: root.key,
          signal,
          onResult: (one: ImportResult) => results.push(one),
        }
        const summary = await importDefinitions({ database, blobs, parser }, { ...request, onConflict })
        return { results, summary }
      }
      await limit({ documents: 2 })
      const { results, summary } = await run()
      assert.deepEqual([summary.created, summary.failed, summary.overQuota], [2, 1, 1])
      const rejected = results.find(({ outcome }) => outcome === 'failed')!
      assert.match('reason' in rejected ? rejected.reason : '', /has 2 documents, and may have 2/)
      assert.equal((await use()).documents, 2)
      await limit({ documents: 3 })
      assert.deepEqual([(await run()).summary.created, (await run()).summary.unchanged], [1, 3])
      await putFile(path, 'a.gh', file('changed'))
      assert.equal((await run()).summary.updated, 1)
      // A copy for which there is no room leaves the edited document what it is: its file's.
      await database.transaction((write) => write.updateTable('document').set({ seq: 9 }).execute())
      await putFile(path, 'a.gh', file('changed again'))
      assert.equal((await run()).summary.overQuota, 1)
      assert.equal((await run('keep')).summary.conflict, 1)
    })
  })
}

test('[QUO-5] given a team that is full, when somebody uploads, makes or duplicates a document, then the response is 409 and says why', async (t) => {
  const { signIn, fixtures, team, database } = await startWebApp(t)
  const ann = await signIn('Ann', 'member')
  const folder = await fixtures.folder(team, 'Folder')
  const document = await fixtures.document(team)
  await changeTeam(database, team.key, (change) => setLimits(change, { documents: 1 }))
  const octets = { headers: { 'content-type': 'application/octet-stream' } }
  const responses = [
    await ann.request('POST', `/folders/${folder.id}/documents`, { name: 'New' }),
    await ann.request('POST', `/documents/${document}/duplicate`, {}),
    await ann.request('POST', `/folders/${folder.id}/uploads?fileName=a.gh`, createDefinitionFile(), octets),
  ]
  for (const { status, json } of responses) {
    assert.equal(status, 409)
    assert.match(json.error, /no room.*raise the limit.*has 1 documents, and may have 1/)
  }
  // The bin is no way out, and restoring from it stores nothing new.
  assert.equal((await ann.request('DELETE', `/documents/${document}`)).status, 204)
  assert.equal((await ann.request('POST', `/folders/${folder.id}/documents`, { name: 'New' })).status, 409)
  const [item] = (await ann.get(`/teams/${team.id}/bin`)).json.items
  assert.equal((await ann.request('POST', `/bin/${item.id}/restore`)).status, 200)
})

test('[QUO-3, QUO-5] given the command, when it sets limits, then it shows them, and an import that meets one ends with 3', async (t) => {
  const { run, json } = await createCommandLine(t)
  const team = await json('team', 'create', 'Acme')
  assert.deepEqual((await json('team', 'limits', team.id)).limits, { bytes: null, documents: null })
  const set = await json('team', 'limits', team.id, '--bytes', '1.5GB', '--documents', '1')
  assert.deepEqual(set.limits, { bytes: 1.5 * 1024 ** 3, documents: 1 })
  const path = await createFolder(t, {
    'a.gh': createDefinitionFile(),
    'b.gh': createDefinitionFile({ text: 'b' }),
  })
  const { code, stderr, stdout } = await run('import', path, '--team', team.id)
  assert.equal(code, 3, stderr)
  assert.match(stderr, /\.gh was not imported: the team has 1 documents, and may have 1/)
  assert.match(stderr, /team limits/)
  assert.match(stdout, /1 new/)
  const lifted = await json('team', 'limits', team.id, '--documents', 'none')
  assert.deepEqual([lifted.limits.documents, lifted.use.documents], [null, 1])
  assert.equal((await run('import', path, '--team', team.id)).code, 0)
  assert.equal((await run('team', 'limits', team.id, '--bytes', 'much')).code, 2)
})

test('given numbers of bytes, then they are written with a unit', () => {
  assert.deepEqual([0, 1023, 1024, 1536, 10 * 1024 ** 3].map(formatBytes), [
    '0 bytes',
    '1,023 bytes',
    '1 KB',
    '1.5 KB',
    '10 GB',
  ])
})
