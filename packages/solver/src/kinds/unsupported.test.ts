import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findKind } from './index.ts'
import { findUnsupported, listUnsupported } from './unsupported.ts'

test('given the unsupported classes, then none of them is a kind, each is listed once, and has a name', () => {
  const all = listUnsupported()
  assert.deepEqual(
    all.filter(({ guid }) => findKind(guid)),
    [],
  )
  assert.equal(new Set(all.map(({ guid }) => guid)).size, all.length)
  assert.deepEqual(
    all.filter(({ name }) => name === ''),
    [],
  )
  assert.equal(findUnsupported('f02a20f6-bb49-4e3d-b155-8ed5d3c6b000')?.name, 'Jitter')
})
