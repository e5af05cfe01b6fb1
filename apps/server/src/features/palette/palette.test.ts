import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaletteKind } from '@meadow/contract/web'
import { findComponent } from '@meadow/document'
import { listKinds } from '@meadow/solver'
import { startWebApp } from '../../testing/start-web-app.ts'

const ISSUED_TWICE = ['86b28a7e-94d9-4791-8306-e13e10d5f8d5', '7c0523e8-79c9-45a2-8777-cf0d46bc5432']

test('[PAL-1] given the palette, when it is read, then it has every kind of the solver that is still offered once, with names and ports, sorted by tab', async (t) => {
  const { open } = await startWebApp(t)
  const kinds: PaletteKind[] = (await open().get('/palette')).json.kinds
  const offered = listKinds()
    .flatMap(({ guids }) => guids)
    .filter((guid) => !findComponent(guid)?.subcategory.endsWith('(old)') && !ISSUED_TWICE.includes(guid))
  assert.deepEqual(kinds.map(({ templateId }) => templateId).sort(), [...offered].sort())
  assert.ok(kinds.every(({ name, category, subcategory }) => name && category && subcategory))
  const categories = kinds.map(({ category }) => category)
  assert.deepEqual(
    categories,
    categories.toSorted((a, b) => a.localeCompare(b, 'en')),
  )
  const addition = kinds.find(({ name, category }) => name === 'Addition' && category === 'Maths')
  assert.deepEqual(
    addition?.inputs.map(({ name, isRepeated }) => [name, isRepeated]),
    [
      ['A', false],
      ['B', true],
    ],
  )
  assert.equal(addition.isParameter, false)
  assert.ok(kinds.some(({ name, isParameter }) => isParameter && name === 'Number'))
})
