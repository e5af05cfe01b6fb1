import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDemoTree, type DemoFolder, listDemoDocuments } from './demo-tree.ts'

const NOW = Date.UTC(2026, 10, 20, 9, 30)
const YEAR_MS = 365 * 24 * 3_600_000

const listFolders = (folder: DemoFolder): DemoFolder[] => [folder, ...folder.folders.flatMap(listFolders)]

test('[DEMO-10] given the tree, then it has fifteen documents: one in the root, one public, one unsolved, one that fails', () => {
  const root = createDemoTree(NOW)
  const documents = listDemoDocuments(root)
  assert.equal(documents.length, 15)
  assert.equal(new Set(documents.map(({ name }) => name)).size, 15)
  assert.equal(new Set(documents.map(({ file }) => file)).size, 15)
  assert.equal(root.documents.length, 1)
  assert.equal(documents.filter(({ visibility }) => visibility === 'public').length, 1)
  assert.equal(documents.filter(({ leaveUnsolved }) => leaveUnsolved).length, 1)
  assert.equal(documents.filter(({ failsOnPurpose }) => failsOnPurpose).length, 1)
})

test('[DEMO-10] given the subfolders of a folder, then their names are unique', () => {
  for (const { folders } of listFolders(createDemoTree(NOW))) {
    const names = folders.map(({ name }) => name)
    assert.ok(names.every((name) => name !== '' && name.trim() === name && name.normalize('NFC') === name))
    assert.equal(new Set(names).size, names.length)
  }
})

test('[DEMO-11] given a time, then every document was created and changed in the year before, no two at the same time', () => {
  const documents = listDemoDocuments(createDemoTree(NOW))
  for (const { name, createdAt, updatedAt } of documents) {
    assert.ok(NOW - YEAR_MS < createdAt && createdAt < updatedAt && updatedAt < NOW, name)
    assert.ok(Number.isInteger(createdAt) && Number.isInteger(updatedAt), name)
  }
  assert.equal(new Set(documents.map(({ updatedAt }) => updatedAt)).size, documents.length)
})

test('[DEMO-11] given another time, then all times move with it', () => {
  const ages = (now: number) => listDemoDocuments(createDemoTree(now)).map((it) => now - it.updatedAt)
  assert.deepEqual(ages(NOW), ages(0))
})
