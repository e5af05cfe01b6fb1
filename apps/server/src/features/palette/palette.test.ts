import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaletteEntry } from '@meadow/contract/web'
import { findComponent, isOfferedVersion, listComponents } from '@meadow/document'
import { listKinds } from '@meadow/solver'
import { startWebApp } from '../../testing/start-web-app.ts'
import { PORT_DESCRIPTIONS } from './port-descriptions.data.ts'

const ISSUED_TWICE = ['86b28a7e-94d9-4791-8306-e13e10d5f8d5', '7c0523e8-79c9-45a2-8777-cf0d46bc5432']

test('[PAL-1] given the palette, when it is read, then it has every kind of the solver that is still offered once, and the components that are not solved, with texts for each port', async (t) => {
  const { open } = await startWebApp(t)
  const kinds: PaletteEntry[] = (await open().get('/palette')).json.kinds
  const offered = listKinds()
    .flatMap(({ guids }) => guids)
    .filter((guid) => !findComponent(guid)?.subcategory.endsWith('(old)') && !ISSUED_TWICE.includes(guid))
  const listed = (isWanted: boolean) =>
    kinds.filter(({ unsolved }) => (unsolved === null) === isWanted).map(({ templateId }) => templateId)
  assert.deepEqual(listed(true).sort(), [...offered].sort())
  const solved = new Set(listKinds().flatMap(({ guids }) => guids))
  assert.deepEqual(
    listed(false).sort(),
    listComponents()
      .filter((kind) => isOfferedVersion(kind) && !solved.has(kind.guid))
      .map(({ guid }) => guid)
      .sort(),
  )
  assert.match(find(kinds, 'Pipe Variable', 'Surface').unsolved ?? '', /not supported: Rhino approximates it/)
  assert.deepEqual(find(kinds, 'Addition', 'Maths').inputs, [
    'The first value.',
    'The second value; further inputs take more values.',
  ])
  for (const { templateId, inputs, outputs } of kinds) {
    const { inputs: ins = [], outputs: outs = [] } = findComponent(templateId) ?? {}
    assert.deepEqual([inputs.length, outputs.length], [ins.length, outs.length])
  }
})

test('[PAL-4] given the palette, when it is read, then each kind has a description in a sentence, nearly every port has one, and each of those texts is used', async (t) => {
  const { open } = await startWebApp(t)
  const kinds: PaletteEntry[] = (await open().get('/palette')).json.kinds
  for (const { templateId, description } of kinds) assert.match(description, /^[^a-z].{9,}\.$/s, templateId)
  const ports = kinds.flatMap(({ inputs, outputs }) => [...inputs, ...outputs])
  const described = ports.filter((text) => text !== '')
  assert.ok(described.length > ports.length * 0.99, `${described.length} of ${ports.length}`)
  for (const text of described) assert.match(text, /^[A-Z].+\.$/)
  const used = new Set(described)
  assert.deepEqual(
    Object.entries(PORT_DESCRIPTIONS).filter(([, text]) => !used.has(text)),
    [],
  )
})

function find(kinds: readonly PaletteEntry[], name: string, category: string): PaletteEntry {
  const found = kinds.find(({ templateId }) => {
    const known = findComponent(templateId)
    return known?.name === name && known.category === category
  })
  assert.ok(found, name)
  return found
}
