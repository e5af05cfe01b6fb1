import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaletteKind } from '@meadow/contract/web'
import { listKinds } from '@meadow/solver'
import { startWebApp } from '../../testing/start-web-app.ts'

test('given the palette, when it is read, then it has every kind of the solver once, with names and ports, sorted by tab', async (t) => {
  const { open } = await startWebApp(t)
  const kinds: PaletteKind[] = (await open().get('/palette')).json.kinds
  const guids = listKinds().flatMap((kind) => kind.guids)
  assert.deepEqual(kinds.map(({ templateId }) => templateId).sort(), [...guids].sort())
  assert.ok(kinds.every(({ name, category, subcategory }) => name && category && subcategory))
  const categories = kinds.map(({ category }) => category)
  assert.deepEqual(
    categories,
    categories.toSorted((a, b) => a.localeCompare(b, 'en')),
  )
  const addition = kinds.find(({ name }) => name === 'Addition')!
  assert.deepEqual([addition.category, addition.isParameter, addition.outputs.length], ['Maths', false, 1])
  assert.ok(kinds.some(({ name, isParameter }) => isParameter && name === 'Number'))
})
