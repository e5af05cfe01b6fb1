import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../testing/start-server.ts'

test('[C2, C4] given a team, when it is read, then its name and root folder, which `root` names too', async (t) => {
  const { get } = await startServer(t)
  const { json } = await get('/team')
  assert.deepEqual(Object.keys(json), ['team'])
  assert.deepEqual(Object.keys(json.team).sort(), ['name', 'rootFolderId'])
  assert.equal(json.team.name, 'Acme')
  const byName = await get('/folders/root')
  assert.equal(byName.json.folder.id, json.team.rootFolderId)
  assert.deepEqual((await get(`/folders/${json.team.rootFolderId}`)).json, byName.json)
})

test('[C2, D13] given a nested folder, when it is read, then its path is its ancestors from the root, without itself', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  const root = await fixtures.root(team)
  const projects = await fixtures.folder(team, 'Projects')
  const tower = await fixtures.folder(team, 'Projects', 'Tower')
  const { json } = await get(`/folders/${tower.id}`)
  assert.deepEqual(json.folder, {
    id: tower.id,
    name: 'Tower',
    parentId: projects.id,
    path: [
      { id: root.id, name: root.name },
      { id: projects.id, name: 'Projects' },
    ],
    folders: [],
    documents: [],
  })
  const top = (await get('/folders/root')).json.folder
  assert.deepEqual([top.parentId, top.path], [null, []])
  assert.deepEqual(top.folders, [{ id: projects.id, name: 'Projects' }])
})

test('[C2, D15] given a folder with documents, when it is read, then only the direct ones, with every field of a summary', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  const folder = await fixtures.folder(team, 'Projects')
  const below = await fixtures.folder(team, 'Projects', 'Below')
  const id = await fixtures.document(team, {
    folder: folder.key,
    name: 'Tower',
    visibility: 'public',
    createdAt: Date.UTC(2025, 4, 6, 7, 8, 9, 10),
    updatedAt: Date.UTC(2026, 4, 6, 7, 8, 9, 11),
  })
  await fixtures.document(team, { folder: below.key })
  const { documents } = (await get(`/folders/${folder.id}`)).json.folder
  assert.deepEqual(documents, [
    {
      id,
      name: 'Tower',
      visibility: 'public',
      createdAt: '2025-05-06T07:08:09.010Z',
      updatedAt: '2026-05-06T07:08:09.011Z',
    },
  ])
})

test('[D14] given names with numbers, when a folder is read, then folders and documents are sorted by name, numbers by value', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  const names = ['Tower 10', 'tower 2', 'Älpha', 'Tower 1', 'beta', 'Zeta', '10', '9']
  for (const name of names) {
    await fixtures.folder(team, name)
    await fixtures.document(team, { name })
  }
  const { folders, documents } = (await get('/folders/root')).json.folder
  const sorted = ['9', '10', 'Älpha', 'beta', 'Tower 1', 'tower 2', 'Tower 10', 'Zeta']
  assert.deepEqual(
    folders.map((folder: { name: string }) => folder.name),
    sorted,
  )
  assert.deepEqual(
    documents.map((document: { name: string }) => document.name),
    sorted,
  )
})

test('[D14] given documents with the same name, when their folder is read, then they are sorted by id', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  const ids = []
  for (let i = 0; i < 8; i++) ids.push(await fixtures.document(team, { name: 'Same' }))
  const { documents } = (await get('/folders/root')).json.folder
  assert.deepEqual(
    documents.map((document: { id: string }) => document.id),
    ids.sort(),
  )
})
