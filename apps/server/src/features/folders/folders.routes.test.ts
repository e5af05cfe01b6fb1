import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../testing/start-server.ts'

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
