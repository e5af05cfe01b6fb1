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
  assert.equal(findUnsupported('2ab17f9a-d852-4405-80e1-938c5e57e78d')?.name, 'Random')
})
