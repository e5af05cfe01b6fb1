import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wireStyleOf } from './wires.ts'

test('[WEB-13] given what a port holds, then its wires are those of an item, a list, a tree, or nothing', () => {
  assert.equal(wireStyleOf({ branches: 1, values: 1, nulls: 0 }), 'item')
  assert.equal(wireStyleOf({ branches: 1, values: 9, nulls: 9 }), 'list')
  assert.equal(wireStyleOf({ branches: 2, values: 2, nulls: 0 }), 'tree')
  assert.equal(wireStyleOf({ branches: 3, values: 0, nulls: 0 }), 'empty')
  assert.equal(wireStyleOf(undefined), 'unknown')
})
