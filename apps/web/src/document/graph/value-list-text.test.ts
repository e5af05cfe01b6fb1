import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatItems, readItems } from './value-list-text.ts'

test('given items of a value list, when they are written and read, then they are the same', () => {
  const items = [
    { name: 'One', expression: '1', isSelected: false },
    { name: 'Equal', expression: '"a = b"', isSelected: true },
  ]
  assert.deepEqual(readItems(formatItems(items), items), items)
})

test('given text as people type it, then empty lines are left out and a lone word is both', () => {
  assert.deepEqual(readItems(' a=1 \r\n\n b \n= 3', []), [
    { name: 'a', expression: '1', isSelected: false },
    { name: 'b', expression: 'b', isSelected: false },
    { name: '3', expression: '3', isSelected: false },
  ])
})
