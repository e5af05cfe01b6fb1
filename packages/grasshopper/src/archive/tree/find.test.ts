import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Chunk } from './archive.ts'
import { findChunk, findItem, listChunks, listItems } from './find.ts'

const chunkOf = (name: string, index: number): Chunk => ({ name, index, items: [], chunks: [] })
const chunk: Chunk = {
  name: 'Container',
  index: -1,
  items: [
    { name: 'Source', index: 10, type: 'string', value: 'last' },
    { name: 'Source', index: 2, type: 'string', value: 'middle' },
    { name: 'Source', index: 1, type: 'int32', value: 1 },
    { name: 'Source', index: 0, type: 'string', value: 'first' },
    { name: 'Source', index: -1, type: 'string', value: 'alone' },
  ],
  chunks: [chunkOf('Branch', 1), chunkOf('Branch', 0), chunkOf('Branch', -1), chunkOf('Other', 0)],
}

test('[GHA-28] given items of one name, when found, then by type and index', () => {
  assert.equal(findItem(chunk, 'Source', 'string'), 'alone')
  assert.equal(findItem(chunk, 'Source', 'string', 2), 'middle')
  assert.equal(findItem(chunk, 'Source', 'string', 1), undefined)
  assert.equal(findItem(chunk, 'Source', 'int32', 1), 1)
  assert.equal(findItem(chunk, 'source', 'string'), undefined)
})

test('[GHA-28] given items in any order, when listed, then they come by index', () => {
  assert.deepEqual(listItems(chunk, 'Source', 'string'), ['first', 'middle', 'last'])
  assert.deepEqual(listItems(chunk, 'Target', 'guid'), [])
})

test('[GHA-28] given chunks of one name, when found or listed, then by index', () => {
  assert.equal(findChunk(chunk, 'Branch'), chunk.chunks[2])
  assert.equal(findChunk(chunk, 'Branch', 0), chunk.chunks[1])
  assert.equal(findChunk(chunk, 'Other'), undefined)
  assert.deepEqual(listChunks(chunk, 'Branch'), [chunk.chunks[1], chunk.chunks[0]])
})
