import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { startWebApp } from '../../testing/start-web-app.ts'

interface Named {
  id: string
  name: string
}

const names = (list: Named[]) => list.map(({ name }) => name)

for (const kind of FEATURE_DATABASES) {
  describe(`folders of the web app on ${kind.name}`, kind.options, () => {
    test('[FILE-1, FILE-2, FILE-3] given folders that members create, then the tree and the folders show them in their parents', async (t) => {
      const { signIn, team, fixtures } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const root = await fixtures.root(team)
      const create = async (parent: string, name: string): Promise<Named> =>
        (await ann.request('POST', `/folders/${parent}/folders`, { name })).json.folder
      const towers = await create(root.id, '  Towers ')
      const ten = await create(towers.id, 'Tower 10')
      await create(towers.id, 'Tower 2')
      await create(root.id, 'Bridges')
      const made = await ann.request('POST', `/folders/${ten.id}/documents`, { name: 'Facade' })
      assert.equal(made.status, 201)
      const { document } = made.json
      assert.deepEqual(
        [document.name, document.visibility, document.solve, document.role],
        ['Facade', 'private', 'never', 'member'],
      )
      assert.deepEqual(names(document.path), ['Acme', 'Towers', 'Tower 10'])

      const { folders, truncated } = (await ann.get(`/teams/${team.id}/folders`)).json
      assert.equal(truncated, false)
      assert.deepEqual(
        folders.map(({ name, documents }: Named & { documents: number }) => [name, documents]),
        [
          ['Acme', 0],
          ['Bridges', 0],
          ['Towers', 0],
          ['Tower 2', 0],
          ['Tower 10', 1],
        ],
      )
      const { folder } = (await ann.get(`/folders/${towers.id}`)).json
      assert.deepEqual(
        [folder.name, folder.parentId, folder.role, folder.teamId],
        ['Towers', root.id, 'member', team.id],
      )
      assert.deepEqual(names(folder.path), ['Acme'])
      assert.deepEqual(
        folder.folders.map(({ name, folders, documents }: Record<string, unknown>) => [
          name,
          folders,
          documents,
        ]),
        [
          ['Tower 2', 0, 0],
          ['Tower 10', 0, 1],
        ],
      )
      const nested = (await ann.get(`/folders/${ten.id}`)).json.folder.documents
      assert.deepEqual([nested.length, nested[0].id, nested[0].solve], [1, document.id, 'never'])
    })

    test('[FILE-3, FILE-4, FILE-5] given a folder with documents, when it is renamed and moved, then the API finds its contents there, and nowhere else', async (t) => {
      const { signIn, team, fixtures, get } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const [from, to] = [await fixtures.folder(team, 'From'), await fixtures.folder(team, 'To')]
      const inner = await fixtures.folder(team, 'From', 'Inner')
      const id = await fixtures.document(team, { folder: inner.key, name: 'Facade' })
      const moved = await ann.request('PATCH', `/folders/${from.id}`, { name: 'Moved', parentId: to.id })
      assert.equal(moved.status, 200, moved.text)
      assert.deepEqual(names(moved.json.folder.path), ['Acme', 'To'])
      const api = (await get(`/folders/${inner.id}`)).json.folder
      assert.deepEqual(names(api.path).slice(1), ['To', 'Moved'])
      const found = async (folder: string) =>
        (await get(`/documents?q=facade&folderId=${folder}`)).json.documents.length
      assert.deepEqual([await found(to.id), await found(from.id), await found(inner.id)], [1, 1, 1])
      assert.deepEqual(names((await get('/folders/root')).json.folder.folders), ['To'])

      const into = (parentId: string) => ann.request('PATCH', `/folders/${to.id}`, { parentId })
      for (const nested of [to.id, from.id, inner.id]) assert.equal((await into(nested)).status, 409)
      assert.equal((await into('fld_0000000000000000')).status, 404)
      const elsewhere = await fixtures.team('Other')
      const theirs = await fixtures.root(elsewhere)
      assert.equal((await into(theirs.id)).status, 404)
      assert.equal((await ann.request('PATCH', `/documents/${id}`, { folderId: theirs.id })).status, 404)
    })

    test('[FILE-4] given two folders, when each is moved into the other concurrently, then one of them is, and nothing is lost', async (t) => {
      const { signIn, team, fixtures } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const [a, b] = [await fixtures.folder(team, 'A'), await fixtures.folder(team, 'B')]
      const responses = await Promise.all([
        ann.request('PATCH', `/folders/${a.id}`, { parentId: b.id }),
        ann.request('PATCH', `/folders/${b.id}`, { parentId: a.id }),
      ])
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409])
      const { folders } = (await ann.get(`/teams/${team.id}/folders`)).json
      assert.deepEqual(names(folders).sort(), ['A', 'Acme', 'B'])
    })

    test('[FILE-5, FILE-6] given a document, when it is renamed, moved and made public, then it is found only by its new name, in its new folder, and only the new name is a change', async (t) => {
      const { signIn, team, fixtures, get } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const folder = await fixtures.folder(team, 'Towers')
      const id = await fixtures.document(team, { name: 'Bridge', updatedAt: Date.UTC(2025, 1, 2) })
      const change = (body: object) => ann.request('PATCH', `/documents/${id}`, body)
      const { status, json } = await change({ folderId: folder.id, visibility: 'public' })
      assert.equal(status, 200)
      assert.deepEqual(names(json.document.path), ['Acme', 'Towers'])
      assert.equal(json.document.updatedAt, '2025-02-02T00:00:00.000Z')
      const renamed = (await change({ name: 'Größe' })).json.document.updatedAt
      assert.ok(renamed > '2025-02-02T00:00:00.000Z')
      const search = async (query: string) => (await get(`/documents?${query}`)).json.documents
      assert.deepEqual(await search('q=bridge'), [])
      const [found] = await search(`q=GR%C3%96SSE&folderId=${folder.id}`)
      assert.deepEqual(
        [found.id, found.visibility, found.updatedAt, found.isRoot],
        [id, 'public', renamed, false],
      )
      const app = (await ann.get(`/teams/${team.id}/search?q=gr%C3%B6%C3%9Fe`)).json
      assert.deepEqual(names(app.documents), ['Größe'])
    })

    test('[FILE-7] given a document, when it is copied, then the copy has the same content and folder, is private and was never solved', async (t) => {
      const { signIn, team, fixtures, get } = await startWebApp(t, kind)
      const ann = await signIn('Ann', 'member')
      const folder = await fixtures.folder(team, 'Towers')
      const group = {
        id: 'g',
        label: 'x'.repeat(200_000),
        colour: '#000000ff',
        nodeInstanceIds: [],
        groupIds: [],
      }
      const content = { nodes: {}, groups: [group], configuration: { inputs: [], outputs: [] } }
      const id = await fixtures.document(team, {
        folder: folder.key,
        name: 'Tower',
        visibility: 'public',
        content,
      })
      const { status, json } = await ann.request('POST', `/documents/${id}/duplicate`, {})
      assert.equal(status, 201)
      const { document: copy } = json
      assert.deepEqual([copy.name, copy.visibility, copy.solve], ['Tower (copy)', 'private', 'never'])
      assert.deepEqual(names(copy.path), ['Acme', 'Towers'])
      assert.deepEqual((await get(`/documents/${copy.id}`)).json.document.groups, [group])
      const root = await fixtures.root(team)
      const other = await ann.request('POST', `/documents/${id}/duplicate`, {
        name: 'Other',
        folderId: root.id,
      })
      assert.deepEqual([other.json.document.name, other.json.document.path.length], ['Other', 1])
    })
  })
}

test('[FILE-4] given the root, when it is renamed, moved or deleted, then that is rejected', async (t) => {
  const { signIn, team, fixtures } = await startWebApp(t)
  const ann = await signIn('Ann', 'owner')
  const root = await fixtures.root(team)
  const folder = await fixtures.folder(team, 'Folder')
  const responses = await Promise.all([
    ann.request('PATCH', `/folders/${root.id}`, { name: 'Mine' }),
    ann.request('PATCH', `/folders/${root.id}`, { parentId: folder.id }),
    ann.request('DELETE', `/folders/${root.id}`),
  ])
  assert.deepEqual(
    responses.map(({ status }) => status),
    [409, 409, 409],
  )
})

test('[FILE-4] given folders at the maximum depth, when one more is created or moved below, then it is rejected', async (t) => {
  const { signIn, team, fixtures } = await startWebApp(t)
  const ann = await signIn('Ann', 'member')
  const levels = Array.from({ length: 63 }, (_, i) => `Level ${i}`)
  const deepest = await fixtures.folder(team, ...levels)
  assert.equal((await ann.request('POST', `/folders/${deepest.id}/folders`, { name: 'Deeper' })).status, 409)
  const [outer] = [await fixtures.folder(team, 'Outer'), await fixtures.folder(team, 'Outer', 'Inner')]
  const above = await fixtures.folder(team, ...levels.slice(0, 62))
  assert.equal((await ann.request('PATCH', `/folders/${outer.id}`, { parentId: above.id })).status, 409)
  const higher = await fixtures.folder(team, ...levels.slice(0, 61))
  assert.equal((await ann.request('PATCH', `/folders/${outer.id}`, { parentId: higher.id })).status, 200)
})
