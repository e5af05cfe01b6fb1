import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataTree, DataValue } from '@meadow/contract'
import type * as Y from 'yjs'
import { listComponents, listParameterTypes } from '../../component-library/component-library.ts'
import { readWhole } from '../testing/read-whole.ts'
import {
  createContent,
  createPanel,
  createSlider,
  createTestContent,
  integer,
  into,
  own,
} from '../testing/test-content.ts'
import { createLiveDocument } from './create-live-document.ts'
import { createNode } from './create-node.ts'
import { addNodes } from './nodes.ts'
import { pasteNodes } from './paste-nodes.ts'
import { replaceContent } from './replace-content.ts'
import { chooseItems, setPanelText, setSlider, setState, setToggle, setValues } from './values.ts'

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
const TOGGLE = '2e78987b-9dfb-42a2-8b76-3923ac8bd91a'
const VALUE_LIST = '00027467-0d24-4fa7-b178-8dc0ac5f42ec'
const PYTHON = '719467e6-7cf5-4848-99b0-c5dd57e5442c'
const SERIES = 'e64c5fb1-845c-4ab1-8911-5f338516ba67'
const GRADIENT = '6da9f120-3ad0-4b6e-9fe0-f8cde3a649b7'

const position = { x: 0, y: 0 }
const tree = (...values: DataValue[]): DataTree => ({ branches: [{ path: '{0}', values }] })
const rejectedWith = (code: string) => ({ name: 'LiveEditError', code, message: /^[A-Z].+\.$/ })

/** A document with one new node of a kind, and the node's id. */
function createDocumentWith(kind: string, state?: Record<string, unknown>): { doc: Y.Doc; id: string } {
  const doc = createLiveDocument(createContent([]))
  const node = createNode(kind, { position })
  addNodes(doc, [node])
  if (state) setState(doc, node.instanceId, state)
  return { doc, id: node.instanceId }
}

const valuesOf = (doc: Y.Doc, id: string) => readWhole(doc).nodes[id]?.values[id]

test('[LD-25] given every class of the component library, when a node is created, then it is valid, with its ports and defaults', () => {
  const doc = createLiveDocument(createContent([]))
  const kinds = [...listComponents(), ...listParameterTypes()]
  addNodes(
    doc,
    kinds.map(({ guid }) => createNode(guid.toUpperCase(), { position })),
  )
  assert.equal(Object.keys(readWhole(doc).nodes).length, kinds.length)
  const series = createNode(SERIES, { position: { x: 1, y: 2 }, nickName: 'Steps' })
  assert.deepEqual([series.nickName, series.position, series.name], ['Steps', { x: 1, y: 2 }, 'Series'])
  const [start] = Object.keys(series.inputs)
  assert.deepEqual(series.values[start!], tree({ type: 'number', value: 0 }))
  assert.throws(
    () => createNode('11111111-1111-4111-8111-111111111111', { position }),
    rejectedWith('not_found'),
  )
})

test('[LD-25] given a gradient, when it is created, then it has limits from 0 to 1 and three grips', () => {
  const { doc, id } = createDocumentWith(GRADIENT)
  const node = readWhole(doc).nodes[id]
  const named = Object.entries(node?.ports ?? {}).map(([port, { nickName }]) => [
    nickName,
    node?.values[port],
  ])
  assert.deepEqual(named, [
    ['L0', tree({ type: 'number', value: 0 })],
    ['L1', tree({ type: 'number', value: 1 })],
    ['t', undefined],
    ['C', undefined],
  ])
  assert.deepEqual(node?.state, {
    kind: 'gradient',
    isLinear: false,
    grips: [
      { position: 0, left: '#008000ff', right: '#008000ff' },
      { position: 0.5, left: '#ffff00ff', right: '#ffff00ff' },
      { position: 1, left: '#ff0000ff', right: '#ff0000ff' },
    ],
  })
})

test('[LD-25] given classes with state, when nodes are created, then they have its defaults', () => {
  for (const [kind, state, values] of [
    [SLIDER, 'slider', tree({ type: 'number', value: 0.25 })],
    [PANEL, 'panel', undefined],
    [TOGGLE, undefined, tree({ type: 'boolean', value: false })],
    [VALUE_LIST, 'valueList', tree({ type: 'integer', value: 1 })],
    [PYTHON, 'script', undefined],
    [GRADIENT, 'gradient', undefined],
  ] as const) {
    const { doc, id } = createDocumentWith(kind)
    assert.equal(readWhole(doc).nodes[id]?.state?.kind, state)
    assert.deepEqual(valuesOf(doc, id), values)
  }
})

test('[LD-27] given a slider, when set, then it accepts values in its range, rounded to its decimals', () => {
  const { doc, id } = createDocumentWith(SLIDER)
  setSlider(doc, id, 0.123_456)
  assert.deepEqual(valuesOf(doc, id), tree({ type: 'number', value: 0.123 }))
  assert.throws(() => setSlider(doc, id, 1.5), rejectedWith('not_valid'))
  assert.throws(() => setSlider(doc, id, Number.NaN), rejectedWith('not_valid'))
  setState(doc, id, { interval: 'odd', minimum: -5, maximum: 9 })
  setSlider(doc, id, -3)
  assert.deepEqual(valuesOf(doc, id), integer(-3))
  assert.throws(() => setSlider(doc, id, 4), { message: 'This slider takes an odd number from -5 to 9.' })
  setState(doc, id, { interval: 'even' })
  setSlider(doc, id, 4)
  assert.throws(() => setSlider(doc, id, 3), rejectedWith('not_valid'))
  assert.throws(() => setToggle(doc, id, true), rejectedWith('not_valid'))
})

test('[LD-27] given a toggle, a panel and a value list, when set, then their values follow', () => {
  const toggle = createDocumentWith(TOGGLE)
  setToggle(toggle.doc, toggle.id, true)
  assert.deepEqual(valuesOf(toggle.doc, toggle.id), tree({ type: 'boolean', value: true }))
  assert.throws(() => setSlider(toggle.doc, toggle.id, 1), rejectedWith('not_valid'))

  const panel = createDocumentWith(PANEL)
  setPanelText(panel.doc, panel.id, 'one\r\ntwo')
  assert.deepEqual(valuesOf(panel.doc, panel.id), tree({ type: 'string', value: 'one\ntwo' }))
  setState(panel.doc, panel.id, { isMultiline: false })
  setPanelText(panel.doc, panel.id, 'one\r\ntwo\n')
  assert.deepEqual(
    valuesOf(panel.doc, panel.id),
    tree({ type: 'string', value: 'one' }, { type: 'string', value: 'two' }),
  )
  setPanelText(panel.doc, panel.id, '')
  assert.equal(valuesOf(panel.doc, panel.id), undefined)
  assert.throws(() => setPanelText(toggle.doc, toggle.id, ''), rejectedWith('not_valid'))

  const list = createDocumentWith(VALUE_LIST)
  chooseItems(list.doc, list.id, [2])
  assert.deepEqual(valuesOf(list.doc, list.id), tree({ type: 'integer', value: 3 }))
  for (const wrong of [[], [0, 1], [4]]) {
    assert.throws(() => chooseItems(list.doc, list.id, wrong), rejectedWith('not_valid'))
  }
  setState(list.doc, list.id, { mode: 'checkList' })
  chooseItems(list.doc, list.id, [0, 3])
  assert.deepEqual(
    valuesOf(list.doc, list.id),
    tree({ type: 'integer', value: 1 }, { type: 'integer', value: 4 }),
  )
  assert.throws(() => chooseItems(toggle.doc, toggle.id, [0]), rejectedWith('not_valid'))
})

test('[LD-27] given the state of a node, when members are set, then the others stay, and so does its kind', () => {
  const { doc, id } = createDocumentWith(SLIDER)
  const before = readWhole(doc).nodes[id]?.state
  setState(doc, id, { maximum: 50, size: undefined, kind: 'slider' })
  const { size: _, ...rest } = { ...before, maximum: 50 } as Record<string, unknown>
  assert.deepEqual(readWhole(doc).nodes[id]?.state, rest)
  assert.throws(() => setState(doc, id, { kind: 'panel' }), rejectedWith('not_valid'))
  assert.throws(() => setState(doc, id, { ['__proto__']: 1 }), rejectedWith('not_valid'))
  const toggle = createDocumentWith(TOGGLE)
  assert.throws(() => setState(toggle.doc, toggle.id, { minimum: 1 }), rejectedWith('not_valid'))
})

test('[LD-27] given invalid trees, when set, then rejected', () => {
  const doc = createLiveDocument(createTestContent())
  for (const wrong of [
    {
      branches: [
        { path: '{1}', values: [] },
        { path: '{0}', values: [] },
      ],
    },
    { branches: [{ path: '{0}', values: [{ type: 'point', value: [1, 2] }] }] },
    { branches: [{ path: '{0}', values: [{ type: 'number', value: Number.NaN }] }] },
    {},
  ]) {
    assert.throws(() => setValues(doc, into('n1'), wrong as DataTree), rejectedWith('not_valid'))
  }
  assert.throws(
    () => setValues(doc, { nodeInstanceId: 'n1', portInstanceId: 's1' }, integer(1)),
    rejectedWith('not_found'),
  )
  setValues(doc, into('n1'), {
    branches: [{ path: '{0;1}', values: [null, { type: 'number', value: 'NaN' }] }],
  })
  setValues(doc, into('n1', 'b'), undefined)
  const { values } = readWhole(doc).nodes.n1!
  assert.deepEqual(Object.keys(values), ['n1.a'])
})

test('[LD-26] given nodes with wires and groups, when pasted, then the copies have new ids, and wires among themselves and from existing senders', () => {
  const doc = createLiveDocument(createTestContent())
  const { nodes, groups } = readWhole(doc)
  const clipping = { nodes: [nodes.n1!, nodes.n2!, nodes.s2!], groups }
  const { ids, groupIds } = pasteNodes(doc, clipping, { x: 10, y: 20 })
  const after = readWhole(doc)
  const copy = after.nodes[ids.get('n2')!]!
  assert.deepEqual(copy.position, { x: 10, y: 20 })
  assert.deepEqual(Object.values(copy.sources), [
    [{ nodeInstanceId: ids.get('n1'), portInstanceId: ids.get('n1.out') }, own('s1')],
  ])
  assert.deepEqual(after.nodes[ids.get('n1')!]?.values[ids.get('n1.b')!], integer(1))
  assert.deepEqual(
    after.groups.slice(2).map(({ nodeInstanceIds }) => nodeInstanceIds),
    [[ids.get('s2')], [ids.get('n1')]],
  )
  assert.deepEqual(after.groups[3]?.groupIds, [groupIds[0]])

  const elsewhere = createLiveDocument(createContent([]))
  const pasted = pasteNodes(elsewhere, clipping, { x: 0, y: 0 })
  const wires = Object.values(readWhole(elsewhere).nodes[pasted.ids.get('n1')!]!.sources)
  assert.deepEqual(wires, [[{ nodeInstanceId: pasted.ids.get('s2'), portInstanceId: pasted.ids.get('s2') }]])
})

test('[LD-28] given other content, when it replaces the document, then the document has it, and equal parts are not touched', () => {
  const doc = createLiveDocument(createTestContent())
  setSlider(doc, 's1', 50)
  const untouched = doc.getMap('nodes').get('n1')
  const { nodes, groups } = createTestContent()
  const { s2: _, ...others } = nodes
  const content = createContent([...Object.values(others), createPanel('more'), createSlider('last')], {
    groups: groups.slice(1),
    configuration: { inputs: [], outputs: [own('s1')] },
  })
  replaceContent(doc, content)
  const after = readWhole(doc)
  assert.deepEqual(Object.keys(after.nodes).sort(), Object.keys(content.nodes).sort())
  assert.deepEqual(after.nodes.s1, nodes.s1)
  assert.equal(doc.getMap('nodes').get('n1'), untouched)
  assert.deepEqual(after.groups, [{ ...groups[1], groupIds: [] }])
  assert.deepEqual(after.configuration, content.configuration)
})
