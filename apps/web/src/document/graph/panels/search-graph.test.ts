import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import { KINDS } from '../../../testing/kinds.ts'
import { searchGraph } from './search-graph.ts'

const place = (kind: Parameters<typeof createNode>[0], index: number, nickName: string): Node =>
  createNode(kind, { position: { x: 300 * index, y: 0 }, nickName })

const panels = ['Note', 'Width', 'Panel 12'].map((name, index) => place(KINDS.panel, index, name))
const withText = (node: Node, text: string) => ({ ...node, state: { ...node.state, text } }) as Node
const script = {
  ...place(KINDS.panel, 5, 'Script'),
  state: {
    kind: 'script',
    language: 'python3',
    source: `import math\n\n${'x'.repeat(80)}tower.height${'y'.repeat(80)}`,
  },
} as unknown as Node
const slider = place(KINDS.slider, 6, 'Floors')
const sphere = place(KINDS.sphere, 7, 'Ball')
const list = [
  withText(panels[0]!, 'Storeys of the tower'),
  panels[1]!,
  withText(panels[2]!, '0.5\n2.50'),
  script,
  slider,
  sphere,
]
const nodes = Object.fromEntries(list.map((node) => [node.instanceId, node]))
const groups = [
  {
    ...{ id: 'g', label: 'Tower core', colour: '#ffffffff', groupIds: [] },
    nodeInstanceIds: [slider.instanceId, 'gone', sphere.instanceId],
  },
]
const search = (typed: string) => searchGraph({ nodes, groups }, typed)
const labels = (typed: string) => search(typed).map(({ label }) => label)

test('[WEB-180] given a graph, when it is searched, then groups, names, components, texts and values match, names before texts', () => {
  assert.deepEqual(labels(' TOWER '), ['Tower core', 'Note', 'Script'])
  assert.deepEqual(search('tower core')[0]!.nodeIds, [slider.instanceId, sphere.instanceId])
  assert.equal(search('tower core')[0]!.match, 'Group of 2')
  assert.deepEqual(labels('sphere'), ['Ball'])
  assert.deepEqual(labels('nothing of that name'), [])
  assert.equal(labels('').length, list.length)
  const [, note, source] = search('tower')
  assert.equal(note!.match, 'Text: Storeys of the tower')
  assert.match(source!.match, /^Source: ….*tower\.height.*…$/)
  assert.ok(source!.match.length < 80)
})

test('[WEB-180] given numbers, when one is searched, then equal values match, and those that contain its digits do not', () => {
  assert.deepEqual(labels('2.5'), ['Panel 12'])
  assert.deepEqual(labels('0.5'), ['Panel 12'])
  assert.deepEqual(labels('5'), [])
  const value = slider.values[slider.instanceId]!.branches[0]!.values[0]!.value as number
  assert.ok(labels(String(value)).includes('Floors'))
})
