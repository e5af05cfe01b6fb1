import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { listKinds } from './kinds/index.ts'
import { kindsPage } from './kinds-page.ts'

test('given the declarations of all kinds, when the page about them is read, then it is up to date', async () => {
  const page = await readFile(new URL('../../../docs/kinds.md', import.meta.url), 'utf8')
  assert.equal(page, kindsPage(), 'run: npm run generate')
})

test('given the page, when it is read as lines, then each class is in one, in valid cells', () => {
  const rows = kindsPage()
    .split('\n')
    .filter((line) => /`[0-9a-f-]{36}` \|$/.test(line))
  assert.equal(rows.length, listKinds().flatMap(({ guids }) => guids).length)
  for (const row of rows) assert.equal(row.split(/(?<!\\)\|/).length, 8, row)
})
