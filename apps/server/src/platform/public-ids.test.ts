import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPublicId, isPublicId } from './public-ids.ts'

test('given new ids, then each has its prefix and 16 unambiguous characters, and no two are alike', () => {
  const ids = Array.from({ length: 1_000 }, () => createPublicId('doc'))
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) {
    assert.match(id, /^doc_[0-9a-hjkmnp-tv-z]{16}$/)
    assert.ok(isPublicId('doc', id))
  }
})

test('given what was never issued, then it is no id', () => {
  const id = createPublicId('doc')
  const others = ['', 'root', 'doc_', `${id}0`, id.slice(0, -1), id.toUpperCase(), ` ${id}`, `${id}\n`]
  const damaged = [
    `${id.slice(0, -1)}\0`,
    `${id.slice(0, -1)}%`,
    `${id.slice(0, -1)}l`,
    `${id.slice(0, -1)}é`,
  ]
  for (const text of [...others, ...damaged, createPublicId('fld')]) assert.ok(!isPublicId('doc', text), text)
})
