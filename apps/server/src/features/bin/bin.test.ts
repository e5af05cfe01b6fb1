import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createDocument } from '../../library/documents.ts'
import { findImported } from '../../library/imported.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'
import { removeDiscardedBlobs } from '../housekeeping/garbage-collection.ts'

interface Named {
  id: string
  name: string
}

const names = (list: Named[]) => list.map(({ name }) => name)

for (const kind of FEATURE_DATABASES) {
  describe(`the bin on ${kind.name}`, kind.options, () => {
    test('[BIN-1, BIN-2, BIN-3] given a folder with a tree in it, when it is deleted, then none of it is visible, until it is restored unchanged', async (t) => {
      const { signIn, team, fixtures, get } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const [outer, inner] = [
        await fixtures.folder(team, 'Outer'),
        await fixtures.folder(team, 'Outer', 'Inner'),
      ]
      const ids = [
        await fixtures.document(team, { folder: outer.key, name: 'Tower A' }),
        await fixtures.document(team, { folder: inner.key, name: 'Tower B' }),
      ]
      await fixtures.document(team, { name: 'Tower C' })
      const before = await Promise.all(ids.map((id) => get(`/documents/${id}`)))
      assert.equal((await ann.request('DELETE', `/folders/${outer.id}`)).status, 204)

      const paths = [
        ...ids.flatMap((id) => [
          `/documents/${id}`,
          `/documents/${id}/solution`,
          `/documents/${id}/export?format=.gh`,
        ]),
        ...[outer, inner].flatMap(({ id }) => [`/folders/${id}`, `/documents?folderId=${id}`]),
      ]
      for (const path of paths) assert.equal((await get(path)).status, 404, path)
      for (const query of ['', '?q=tower', '?q=t', '?q=tower%20']) {
        assert.deepEqual(names((await get(`/documents${query}`)).json.documents), ['Tower C'], query)
      }
      assert.deepEqual((await get('/folders/root')).json.folder.folders, [])
      assert.deepEqual(names((await ann.get(`/teams/${team.id}/folders`)).json.folders), ['Acme'])

      const { items, next } = (await ann.get(`/teams/${team.id}/bin`)).json
      assert.equal(next, null)
      assert.equal(items.length, 1)
      const [item] = items
      assert.deepEqual(
        [item.kind, item.name, item.documents, item.folder.name, item.deletedBy],
        ['folder', 'Outer', 2, 'Acme', { id: ann.userId, name: 'Ann' }],
      )

      const restored = await ann.request('POST', `/bin/${item.id}/restore`)
      assert.deepEqual(restored.json, {
        kind: 'folder',
        id: outer.id,
        folder: { id: (await fixtures.root(team)).id, name: 'Acme' },
        wentToRoot: false,
      })
      const after = await Promise.all(ids.map((id) => get(`/documents/${id}`)))
      assert.deepEqual(
        after.map(({ text }) => text),
        before.map(({ text }) => text),
      )
      assert.deepEqual(names((await get(`/documents?q=tower&folderId=${outer.id}`)).json.documents).sort(), [
        'Tower A',
        'Tower B',
      ])
      assert.deepEqual((await ann.get(`/teams/${team.id}/bin`)).json.items, [])
    })

    test('[BIN-3, BIN-4] given a document that was deleted before its folder, when the folder is restored, then the document stays in the bin, and returns to its folder when it is restored', async (t) => {
      const { signIn, team, fixtures, get } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const folder = await fixtures.folder(team, 'Folder')
      const id = await fixtures.document(team, { folder: folder.key, name: 'Tower' })
      await ann.request('DELETE', `/documents/${id}`)
      await ann.request('DELETE', `/folders/${folder.id}`)
      const list = async () => (await ann.get(`/teams/${team.id}/bin`)).json.items
      const [ofFolder, ofDocument] = await list()
      assert.deepEqual([ofFolder.documents, ofDocument.documents, ofDocument.folder], [0, 1, null])
      await ann.request('POST', `/bin/${ofFolder.id}/restore`)
      assert.equal((await get(`/documents/${id}`)).status, 404)
      assert.equal((await list())[0].folder.name, 'Folder')
      const { json } = await ann.request('POST', `/bin/${ofDocument.id}/restore`)
      assert.deepEqual(
        [json.id, json.folder, json.wentToRoot],
        [id, { id: folder.id, name: 'Folder' }, false],
      )
      assert.equal((await get(`/documents?q=tower&folderId=${folder.id}`)).json.documents.length, 1)
      assert.equal((await ann.request('POST', `/bin/${ofDocument.id}/restore`)).status, 404)
    })

    test('[BIN-3, BIN-5] given items whose folder is in the bin or deleted, when they are restored, then they go to the root, with their contents', async (t) => {
      const { signIn, team, fixtures, get } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'owner')
      const folder = await fixtures.folder(team, 'Folder')
      const inner = await fixtures.folder(team, 'Folder', 'Inner')
      await fixtures.folder(team, 'Folder', 'Inner', 'Innermost')
      const id = await fixtures.document(team, { folder: inner.key, name: 'Tower' })
      const lone = await fixtures.document(team, { folder: folder.key, name: 'Lone' })
      await ann.request('DELETE', `/folders/${inner.id}`)
      await ann.request('DELETE', `/documents/${lone}`)
      await ann.request('DELETE', `/folders/${folder.id}`)
      const [ofFolder, ofLone, ofInner] = (await ann.get(`/teams/${team.id}/bin`)).json.items
      const restored = await ann.request('POST', `/bin/${ofLone.id}/restore`)
      assert.deepEqual([restored.json.folder.name, restored.json.wentToRoot], ['Acme', true])
      assert.equal((await ann.request('DELETE', `/bin/${ofFolder.id}`)).status, 204)
      const other = await ann.request('POST', `/bin/${ofInner.id}/restore`)
      assert.deepEqual(
        [other.json.id, other.json.folder.name, other.json.wentToRoot],
        [inner.id, 'Acme', true],
      )
      const root = (await get('/folders/root')).json.folder
      assert.deepEqual([names(root.folders), names(root.documents)], [['Inner'], ['Lone']])
      const { path } = (await get(`/folders/${inner.id}`)).json.folder
      assert.equal(path.length, 1)
      assert.equal((await get(`/documents?q=tower&folderId=${inner.id}`)).json.documents[0].id, id)
      assert.deepEqual(names((await ann.get(`/teams/${team.id}/folders`)).json.folders), [
        'Acme',
        'Inner',
        'Innermost',
      ])
    })

    test('[BIN-5, BIN-6] given a bin that is emptied, when a day has passed, then nothing is left except blobs that are still referenced', async (t) => {
      const { signIn, team, fixtures, service, database } = await startWebApp(t, kind)
      const { blobs } = service
      const ann = await signIn('Ann', 'owner')
      const folder = await fixtures.folder(team, 'Folder')
      const large = (label: string) => ({
        nodes: {},
        groups: [
          { id: 'g', label: label.repeat(150_000), colour: '#000000ff', nodeInstanceIds: [], groupIds: [] },
        ],
        configuration: { inputs: [], outputs: [] },
      })
      const [remaining, shared, own] = [
        await fixtures.document(team, { content: large('a') }),
        await fixtures.document(team, { content: large('a'), folder: folder.key }),
        await fixtures.document(team, { content: large('b'), folder: folder.key }),
      ]
      assert.ok(remaining && shared && own)
      await ann.request('DELETE', `/folders/${folder.id}`)
      assert.equal((await ann.request('DELETE', `/teams/${team.id}/bin`)).status, 204)
      assert.deepEqual((await ann.get(`/teams/${team.id}/bin`)).json.items, [])
      const count = async (table: 'document' | 'folder' | 'bin_item' | 'document_snapshot') =>
        (await database.read.selectFrom(table).selectAll().execute()).length
      assert.deepEqual(
        [
          await count('document'),
          await count('folder'),
          await count('bin_item'),
          await count('document_snapshot'),
        ],
        [1, 1, 0, 1],
      )
      const [snapshot] = await database.read.selectFrom('document_snapshot').select('blob').execute()
      const discarded = await database.read.selectFrom('discarded_blob').select('digest').execute()
      const now = Date.now()
      assert.equal(await removeDiscardedBlobs(database, blobs, now - 1000), 0)
      // What was put since is looked at again later.
      const putLater = { ...blobs, removeUnlessPut: async () => false }
      assert.equal(await removeDiscardedBlobs(database, putLater, now + 1000), 0)
      await removeDiscardedBlobs(database, blobs, Date.now() + 1000)
      assert.deepEqual(await database.read.selectFrom('discarded_blob').selectAll().execute(), [])
      for (const { digest } of discarded) assert.equal(await blobs.has(digest), digest === snapshot!.blob)
    })

    test('[BIN-7] given an uploaded document in the bin, when its file is uploaded again, then both can exist, and the file belongs to the new one', async (t) => {
      const { signIn, team, fixtures, database } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const root = await fixtures.root(team)
      const source = {
        root: root.key,
        from: '/files',
        path: 'Tower.gh',
        sha256: 'a',
        sizeBytes: 1,
        mtimeMs: 1,
        blob: 'a',
      }
      const now = Date.now()
      const create = () =>
        changeTeam(database, team.key, (change) =>
          createDocument(change, {
            folder: root.key,
            name: 'Tower',
            createdAt: now,
            updatedAt: now,
            content: { kind: 'inline', bytes: Buffer.from('{}') },
            source,
          }),
        )
      const first = await create()
      await ann.request('DELETE', `/documents/${first.id}`)
      const [binned] = await findImported(database.read, root.key, ['Tower.gh'])
      assert.ok(binned?.bin)
      const second = await create()
      const [item] = (await ann.get(`/teams/${team.id}/bin`)).json.items
      assert.equal((await ann.request('POST', `/bin/${item.id}/restore`)).status, 200)
      const found = await findImported(database.read, root.key, ['Tower.gh'])
      assert.deepEqual(
        found.map(({ id }) => id),
        [second.id],
      )
    })
  })
}
