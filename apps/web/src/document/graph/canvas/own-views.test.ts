import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addView } from './own-views.ts'

test('[WEB-65] given views of documents, when another is remembered, then there is one for each document, and the oldest goes', () => {
  const view = { x: 1.23456789, y: -2, zoom: 0.5 }
  let entries = addView([], 'first', view)
  assert.deepEqual(entries, [['first', 1.23457, -2, 0.5]])
  for (let index = 0; index < 99; index++) entries = addView(entries, `next-${index}`, view)
  entries = addView(entries, 'first', { ...view, zoom: 2 })
  assert.equal(entries.length, 100)
  assert.deepEqual(entries.at(-1), ['first', 1.23457, -2, 2])
  assert.deepEqual(addView(entries, 'one more', view)[0]?.[0], 'next-1')
})
