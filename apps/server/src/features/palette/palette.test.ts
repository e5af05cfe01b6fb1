import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaletteKind } from '@meadow/contract/web'
import { describeKinds, EARLIER_FAMILY } from '@meadow/solver'
import { startWebApp } from '../../testing/start-web-app.ts'

test('given the palette, when it is read, then it has every kind of the solver that is still offered once, with names and ports, sorted by tab', async (t) => {
  const { open } = await startWebApp(t)
  const kinds: PaletteKind[] = (await open().get('/palette')).json.kinds
  const offered = describeKinds().filter(({ family }) => family !== EARLIER_FAMILY)
  const guids = offered.map(({ guid }) => guid)
  assert.deepEqual(kinds.map(({ templateId }) => templateId).sort(), [...guids].sort())
  assert.ok(kinds.every(({ name, category, subcategory }) => name && category && subcategory))
  assert.ok(!guids.includes('86866576-6cc0-485a-9cd2-6f7d493f57f7'))
  const categories = kinds.map(({ category }) => category)
  assert.deepEqual(
    categories,
    categories.toSorted((a, b) => a.localeCompare(b, 'en')),
  )
  const addition = kinds.find(({ name }) => name === 'Addition')!
  assert.deepEqual([addition.category, addition.isParameter, addition.outputs.length], ['Maths', false, 1])
  assert.ok(kinds.some(({ name, isParameter }) => isParameter && name === 'Number'))
})
