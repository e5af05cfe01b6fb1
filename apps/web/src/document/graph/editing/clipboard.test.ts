import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { createNode } from '@meadow/document/live'
import { formatClipping, readClipping } from './clipboard.ts'

const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'

test('given nodes and groups, when some are copied, then reading the text gives those', () => {
  const [one, two] = [0, 1].map((x) => createNode(PANEL, { position: { x, y: 0 } }))
  const group = { id: 'g', label: '', colour: '#00000000', nodeInstanceIds: [one!.instanceId], groupIds: [] }
  const content: GraphContent = {
    nodes: { [one!.instanceId]: one!, [two!.instanceId]: two! },
    groups: [group],
    configuration: { inputs: [], outputs: [] },
  }
  const copied = readClipping(formatClipping(content, new Set([one!.instanceId])))
  assert.deepEqual(
    JSON.parse(JSON.stringify(copied)),
    JSON.parse(JSON.stringify({ nodes: [one], groups: [group] })),
  )
})

test('given any other text, when it is read, then it is not a clipping', () => {
  for (const text of ['', 'hello', '{}', '[]', 'null', '{"mark":"meadow/clipping/1"}']) {
    assert.equal(readClipping(text), undefined, text)
  }
})
