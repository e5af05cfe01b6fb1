import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printable } from './printable.ts'
import { formatTable } from './table.ts'

test('given a name with control characters, when it is printed, then they cannot steer the terminal', () => {
  assert.equal(printable('a\u001b[2Jb\nc\u202ed'), 'a\\u{1b}[2Jb\\u{a}c\\u{202e}d')
  assert.equal(printable('Fassade – Süd 🏗️ 屋根'), 'Fassade – Süd 🏗️ 屋根')
})

test('given rows, when they are made a table, then columns are aligned and nothing trails', () => {
  const table = formatTable({
    columns: ['ID', 'NAME', 'HOST'],
    rows: [
      ['1', 'Jürgen 🏗', ''],
      ['22', 'A\nB', 'b.example.org'],
    ],
  })
  assert.equal(table, ['ID  NAME      HOST', '1   Jürgen 🏗', '22  A\\u{a}B   b.example.org'].join('\n'))
})

test('given more rows than a call can have arguments, when they are made a table, then all are in it', () => {
  const rows = Array.from({ length: 130_000 }, (_, index) => [index])
  assert.equal(formatTable({ columns: ['n'], rows }).split('\n').length, rows.length + 1)
})
