import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent, Node, PortReference } from '@meadow/contract'
import * as Y from 'yjs'
import { readLiveDocument } from '../projection/live-projector.ts'
import { LIVE_LIMITS } from '../schema/limits.ts'
import { readText, readWhole } from '../testing/read-whole.ts'
import {
  createAddition,
  createContent,
  createPanel,
  createSlider,
  createTestContent,
  integer,
  into,
  out,
  own,
} from '../testing/test-content.ts'
import { createLiveDocument } from './create-live-document.ts'
import type { LiveEditErrorCode } from './edit-error.ts'
import { addGroup, editGroup, removeGroups } from './groups.ts'
import { addNodes, moveNodes, removeNodes, renameNode, setEnabled, setPreviewed } from './nodes.ts'
import { orderPins, pinPort, unpinPort } from './pins.ts'
import { addPort, editPort, removePort } from './ports.ts'
import { createUndoManager } from './undo-manager.ts'
import { setValues } from './values.ts'
import { connect, disconnect, orderWires } from './wires.ts'

const ME = Symbol('me')

/** The content after an edit, which has to be one transaction with its origin. */
function edit(doc: Y.Doc, operation: () => void): GraphContent {
  const origins: unknown[] = []
  const note = ({ origin }: Y.Transaction) => origins.push(origin)
  doc.on('afterTransaction', note)
  operation()
  doc.off('afterTransaction', note)
  assert.deepEqual(origins, [ME])
  return readWhole(doc)
}

/** Asserts that an edit is rejected with a sentence, and that nothing has changed. */
function assertRejected(doc: Y.Doc, code: LiveEditErrorCode, operation: () => void): void {
  const before = readText(doc)
  assert.throws(operation, { name: 'LiveEditError', code, message: /^[A-Z].+\.$/ })
  assert.equal(readText(doc), before)
}

const createDocument = () => createLiveDocument(createTestContent())
const missingPort: PortReference = { nodeInstanceId: 'gone', portInstanceId: 'gone' }

test('[LD-20] given nodes, when added, moved, renamed, enabled and removed, then the document has the changes', () => {
  const doc = createDocument()
  const wired = createAddition('new', { 'new.a': [out('n1')] })
  assert.deepEqual(edit(doc, () => addNodes(doc, [wired], ME)).nodes.new, wired)
  const { nodes } = edit(doc, () => moveNodes(doc, { new: { x: 1, y: 2 }, n1: { x: 3, y: 4 } }, ME))
  assert.deepEqual(
    [nodes.new?.position, nodes.n1?.position],
    [
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ],
  )
  assert.equal(edit(doc, () => renameNode(doc, 'new', 'Sum', ME)).nodes.new?.nickName, 'Sum')
  const { status } = edit(doc, () => setEnabled(doc, ['new'], false, ME)).nodes.new as Node
  assert.deepEqual(status, { isEnabled: false, isPreviewed: true })
  const again = edit(doc, () => setPreviewed(doc, ['new'], false, ME)).nodes.new as Node
  assert.deepEqual(again.status, { isEnabled: false, isPreviewed: false })
  assert.equal(edit(doc, () => removeNodes(doc, ['new'], ME)).nodes.new, undefined)
})

test('[LD-29] given a parameter object, when it or its port is renamed, then both have the nickname, and undo restores both', () => {
  const doc = createLiveDocument(createContent([createSlider('s'), createAddition('n')]))
  const undo = createUndoManager(doc, ME)
  const namesOf = (id: string) => {
    const { nickName, ports } = readWhole(doc).nodes[id] as Node
    return [nickName, ports[id]?.nickName]
  }
  const before = namesOf('s')
  renameNode(doc, 's', 'Width', ME)
  assert.deepEqual(namesOf('s'), ['Width', 'Width'])
  undo.undo()
  assert.deepEqual(namesOf('s'), before)
  editPort(doc, own('s'), { nickName: 'Height' }, ME)
  assert.deepEqual(namesOf('s'), ['Height', 'Height'])
  renameNode(doc, 'n', 'Sum', ME)
  assert.deepEqual(namesOf('n'), ['Sum', undefined])
})

test('[LD-20] given missing nodes, taken ids or invalid numbers, when edited, then rejected with a sentence', () => {
  const doc = createDocument()
  assertRejected(doc, 'not_found', () => moveNodes(doc, { n1: { x: 9, y: 9 }, gone: { x: 0, y: 0 } }))
  assertRejected(doc, 'not_valid', () => moveNodes(doc, { n2: { x: 1, y: 1 }, n1: { x: Number.NaN, y: 9 } }))
  assertRejected(doc, 'not_found', () => removeNodes(doc, ['n1', 'gone']))
  assertRejected(doc, 'id_taken', () => addNodes(doc, [createAddition('n1')]))
  assertRejected(doc, 'id_taken', () => addNodes(doc, [createSlider('n1.a')]))
  assertRejected(doc, 'id_taken', () => addNodes(doc, [createSlider('g1')]))
  assertRejected(doc, 'id_taken', () => addNodes(doc, [createSlider('x'), createSlider('x')]))
  assertRejected(doc, 'not_found', () => addNodes(doc, [createAddition('x', { 'x.a': [missingPort] })]))
  assertRejected(doc, 'not_valid', () => addNodes(doc, [{ ...createSlider('x'), templateId: 'slider' }]))
  assertRejected(doc, 'too_large', () => renameNode(doc, 'n1', 'x'.repeat(LIVE_LIMITS.propertyBytes + 1)))
})

test('[LD-20] given more than an edit or a document can hold, when added, then rejected with a sentence', () => {
  const doc = createDocument()
  const large = { ...createPanel('x'), name: 'x'.repeat(LIVE_LIMITS.propertyBytes) }
  assertRejected(doc, 'too_large', () => addNodes(doc, [large]))
  const half = { name: 'x'.repeat(LIVE_LIMITS.propertyBytes / 2) }
  const many = Array.from({ length: 9 }, (_, i) => ({ ...createPanel(`x${i}`), ...half }))
  assertRejected(doc, 'too_large', () => addNodes(doc, many))
  const scribbles = Array.from({ length: LIVE_LIMITS.nodes }, (_, i) => createPanel(`x${i}`))
  assertRejected(doc, 'too_large', () => addNodes(doc, scribbles))
})

test('[LD-20, LD-3] given wires, when added, removed and reordered, then each input has its senders in that order', () => {
  const doc = createDocument()
  const senders = (content = readLiveDocument(doc)) =>
    content.nodes.n2?.sources['n2.a']?.map(({ portInstanceId }) => portInstanceId)
  assert.deepEqual(senders(), ['n1.out', 's1'])
  assert.deepEqual(senders(edit(doc, () => connect(doc, { from: own('s2'), to: into('n2') }, ME))), [
    'n1.out',
    's1',
    's2',
  ])
  edit(doc, () => connect(doc, { from: own('p1'), to: into('n2'), at: 1 }, ME))
  assert.deepEqual(senders(), ['n1.out', 'p1', 's1', 's2'])
  const order = [own('s2'), own('s1'), out('n1'), own('p1')]
  assert.deepEqual(senders(edit(doc, () => orderWires(doc, into('n2'), order, ME))), [
    's2',
    's1',
    'n1.out',
    'p1',
  ])
  edit(doc, () => disconnect(doc, { from: own('s1'), to: into('n2') }, ME))
  edit(doc, () => disconnect(doc, { from: own('p1'), to: into('n2') }, ME))
  assert.deepEqual(senders(), ['s2', 'n1.out'])
  edit(doc, () => connect(doc, { from: own('s1'), to: into('n2'), at: 0 }, ME))
  assert.deepEqual(senders(), ['s1', 's2', 'n1.out'])
})

test('[LD-3] given hundreds of wires added at one position, when read, then each is where it was added', () => {
  const sliders = Array.from({ length: 200 }, (_, i) => createSlider(`s${i}`))
  const input = createAddition('n', { 'n.a': [own('s0'), own('s1')], 'n.b': [own('s0'), own('s1')] })
  const doc = createLiveDocument(createContent([input, ...sliders]))
  const laid = sliders.slice(2).map(({ instanceId }) => own(instanceId))
  for (const [i, from] of laid.entries()) {
    connect(doc, { from, to: into('n', 'a'), at: 1 })
    connect(doc, { from, to: into('n', 'b'), at: i + 1 })
  }
  const { sources } = readWhole(doc).nodes.n!
  assert.deepEqual(sources['n.a'], [own('s0'), ...laid.toReversed(), own('s1')])
  assert.deepEqual(sources['n.b'], [own('s0'), ...laid, own('s1')])
})

test('[LD-20] given ends that are missing or on the wrong side, when wired, then rejected', () => {
  const doc = createDocument()
  assertRejected(doc, 'not_found', () => connect(doc, { from: missingPort, to: into('n1') }))
  assertRejected(doc, 'not_found', () => connect(doc, { from: into('n1'), to: into('n2') }))
  assertRejected(doc, 'not_found', () => connect(doc, { from: out('n1'), to: own('s1') }))
  assertRejected(doc, 'not_found', () => disconnect(doc, { from: own('s2'), to: into('n2') }))
  assertRejected(doc, 'not_valid', () => orderWires(doc, into('n2'), [own('s1')]))
  assertRejected(doc, 'not_valid', () => orderWires(doc, into('n2'), [own('s1'), own('s1')]))
})

test('[LD-20] given groups, when added, changed and removed, then their members stay', () => {
  const doc = createDocument()
  const inside = { id: 'new', nodeInstanceIds: ['n2', 'p1'], groupIds: ['g1'] }
  const { groups } = edit(doc, () => addGroup(doc, { ...inside, label: 'Out' }, ME))
  assert.deepEqual(groups[2], { ...inside, label: 'Out', colour: '#aa87ff96' })
  const change = {
    colour: '#11223344',
    add: { nodeInstanceIds: ['n1'], groupIds: ['g2'] },
    remove: { nodeInstanceIds: ['n2'], groupIds: ['g1'] },
  }
  assert.deepEqual(edit(doc, () => editGroup(doc, 'new', change, ME)).groups[2], {
    id: 'new',
    label: 'Out',
    colour: '#11223344',
    nodeInstanceIds: ['p1', 'n1'],
    groupIds: ['g2'],
  })
  const left = edit(doc, () => removeGroups(doc, ['g2'], ME))
  assert.deepEqual(
    left.groups.map(({ id, groupIds }) => [id, groupIds]),
    [
      ['g1', []],
      ['new', []],
    ],
  )
  assert.ok(left.nodes.n1)
  assertRejected(doc, 'not_found', () => addGroup(doc, { nodeInstanceIds: ['gone'] }))
  assertRejected(doc, 'id_taken', () => addGroup(doc, { id: 'n1' }))
  assertRejected(doc, 'not_valid', () => addGroup(doc, { colour: 'red' }))
  assertRejected(doc, 'not_valid', () => editGroup(doc, 'new', { label: 'X', colour: 'red' }))
  assertRejected(doc, 'not_valid', () => editGroup(doc, 'new', { add: { groupIds: ['new'] } }))
  assertRejected(doc, 'not_found', () => removeGroups(doc, ['gone']))
})

test('[LD-20] given ports, when pinned and unpinned, then the configuration has the changes', () => {
  const doc = createDocument()
  edit(doc, () => pinPort(doc, 'inputs', into('n1'), ME))
  const { configuration } = edit(doc, () => unpinPort(doc, 'inputs', own('s2'), ME))
  assert.deepEqual(configuration, { inputs: [own('s1'), into('n1')], outputs: [out('n2')] })
  assertRejected(doc, 'not_found', () => pinPort(doc, 'inputs', missingPort))
  assertRejected(doc, 'not_found', () => unpinPort(doc, 'outputs', own('s2')))
})

test('[LD-20] given a port, when its flags, options and names are edited, then the rest of it stays', () => {
  const doc = createDocument()
  const change = {
    nickName: 'Left',
    access: 'tree' as const,
    expression: 'x+1',
    flags: { graft: true, reverse: true },
    options: { degrees: true },
  }
  assert.deepEqual(edit(doc, () => editPort(doc, into('n1'), change, ME)).nodes.n1?.ports['n1.a'], {
    name: 'A',
    nickName: 'Left',
    typeName: 'Number',
    access: 'tree',
    flags: ['graft', 'reverse'],
    expression: 'x+1',
    options: ['degrees'],
  })
  const back = { expression: null, flags: { graft: false }, options: { degrees: false } }
  const { 'n1.a': port } = edit(doc, () => editPort(doc, into('n1'), back, ME)).nodes.n1!.ports
  assert.deepEqual(port, {
    name: 'A',
    nickName: 'Left',
    typeName: 'Number',
    access: 'tree',
    flags: ['reverse'],
  })
  assertRejected(doc, 'not_valid', () => editPort(doc, into('n1'), { flags: { burn: true } as never }))
  assertRejected(doc, 'not_valid', () => editPort(doc, into('n1'), { access: 'all' as never }))
  assertRejected(doc, 'not_valid', () => editPort(doc, into('n1'), { nickName: 'X', colour: 'red' } as never))
})

test('[LD-20, LD-22] given a component, when ports are added and removed, then orders have no gaps, and wires, values and pins of a port are removed with it', () => {
  const doc = createDocument()
  const port = { name: 'C', nickName: 'C', typeName: 'Number', access: 'list' as const, flags: [] }
  edit(doc, () => addPort(doc, 'n1', { id: 'n1.c', side: 'input', port, at: 1 }, ME))
  edit(doc, () => connect(doc, { from: own('s1'), to: { nodeInstanceId: 'n1', portInstanceId: 'n1.c' } }, ME))
  const { nodes } = edit(doc, () => removePort(doc, into('n1'), ME))
  assert.deepEqual(
    [nodes.n1?.inputs, nodes.n1?.sources],
    [
      Object.assign(Object.create(null), { 'n1.c': 0, 'n1.b': 1 }),
      Object.assign(Object.create(null), { 'n1.b': [own('s1')], 'n1.c': [own('s1')] }),
    ],
  )
  const left = edit(doc, () => removePort(doc, out('n2'), ME))
  assert.deepEqual([left.nodes.p1?.sources, left.configuration.outputs], [Object.create(null), []])
  assertRejected(doc, 'not_valid', () => addPort(doc, 's1', { side: 'input', port }))
  assertRejected(doc, 'not_valid', () => removePort(doc, own('s1')))
  assertRejected(doc, 'id_taken', () => addPort(doc, 'n1', { id: 's1', side: 'input', port }))
})

test('[LD-21] given edits that change nothing, when made, then nothing is written', () => {
  const doc = createDocument()
  const before = Y.encodeStateAsUpdate(doc)
  moveNodes(doc, { n1: { x: 0, y: 0 } })
  renameNode(doc, 'n1', 'n1')
  setEnabled(doc, ['n1'], true)
  setPreviewed(doc, ['n1'], true)
  connect(doc, { from: out('n1'), to: into('n2') })
  orderWires(doc, into('n2'), [out('n1'), own('s1')])
  setValues(doc, own('s1'), integer(3))
  editPort(doc, into('n1'), {
    nickName: 'A',
    flags: { graft: false },
    options: { degrees: false },
    expression: null,
  })
  editGroup(doc, 'g1', { label: 'In', add: { nodeInstanceIds: ['s1'] }, remove: { nodeInstanceIds: ['n1'] } })
  pinPort(doc, 'inputs', own('s1'))
  assert.deepEqual(Y.encodeStateAsUpdate(doc), before)
})

test('[LD-22, LD-23] given a node with wires, groups and pins, when removed and restored, then all of them are back', () => {
  const doc = createDocument()
  const undo = createUndoManager(doc, ME)
  const before = JSON.parse(readText(doc))
  const { nodes, groups, configuration } = edit(doc, () => removeNodes(doc, ['s1', 'n2'], ME))
  assert.deepEqual(nodes.n1?.sources, Object.assign(Object.create(null), { 'n1.a': [own('s2')] }))
  assert.deepEqual(groups[0]?.nodeInstanceIds, ['s2'])
  assert.deepEqual(configuration, { inputs: [own('s2')], outputs: [] })
  undo.undo()
  assert.deepEqual(JSON.parse(JSON.stringify(readWhole(doc))), before)
  undo.redo()
  assert.deepEqual(readWhole(doc), { nodes, groups, configuration })
})

test('[LD-23] given edits of two users, when one undoes, then only their own edits are reverted, and nothing overwritten reappears', () => {
  const doc = createDocument()
  const [mine, theirs] = [createUndoManager(doc, 'me'), createUndoManager(doc, 'them')]
  setValues(doc, own('s1'), integer(10), 'me')
  renameNode(doc, 's1', 'Width', 'them')
  setValues(doc, own('s2'), integer(20), 'me')
  setValues(doc, own('s2'), integer(30), 'them')
  mine.undo()
  mine.undo()
  const { s1, s2 } = readWhole(doc).nodes
  assert.deepEqual([s1?.values.s1, s1?.nickName, s2?.values.s2], [integer(3), 'Width', integer(30)])
  theirs.undo()
  theirs.undo()
  assert.equal(readWhole(doc).nodes.s1?.nickName, 's1')
})

test('[LD-12, LD-23] given a node that one removes while another wires it, when it is restored, then so is the wire', () => {
  const doc = createDocument()
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  const undo = createUndoManager(doc, ME)
  removeNodes(doc, ['s2'], ME)
  connect(other, { from: own('s2'), to: into('n2', 'b') })
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other))
  assert.equal(readWhole(doc).nodes.n2?.sources['n2.b'], undefined)
  undo.undo()
  assert.deepEqual(readWhole(doc).nodes.n2?.sources['n2.b'], [own('s2')])
})

test('[LD-12] given two users who add the same wire at once, when merged, then it is one wire', () => {
  const doc = createDocument()
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  for (const one of [doc, other]) connect(one, { from: own('p1'), to: into('n1', 'b') })
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other))
  assert.deepEqual(readWhole(doc).nodes.n1?.sources['n1.b'], [own('s1'), own('p1')])
})

test('[LD-12] given two users who connect two nodes with each other at once, when merged, then the cycle stays', () => {
  const doc = createLiveDocument(createContent([createAddition('a'), createAddition('b'), createPanel('c')]))
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  connect(doc, { from: out('a'), to: into('b') })
  connect(other, { from: out('b'), to: into('a') })
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other))
  const { a, b } = readWhole(doc).nodes
  assert.deepEqual([a?.sources['a.a'], b?.sources['b.a']], [[out('b')], [out('a')]])
})

test('[LD-33] given pins of several people, when one puts them into any order, then everybody reads them in it, and only what was too early was made again', () => {
  const sliders = ['s1', 's2', 's3', 's4']
  const first = createLiveDocument(createContent(sliders.map((id) => createSlider(id))))
  const second = new Y.Doc()
  const exchange = () => {
    Y.applyUpdate(second, Y.encodeStateAsUpdate(first))
    Y.applyUpdate(first, Y.encodeStateAsUpdate(second))
  }
  exchange()
  const ports = sliders.map(own)
  for (const [index, port] of ports.entries()) {
    pinPort(index % 2 === 0 ? first : second, 'inputs', port, ME)
    exchange()
  }
  const orders = [
    [3, 2, 1, 0],
    [1, 0, 3, 2],
    [0, 1, 2, 3],
    [2, 0, 1, 3],
  ]
  for (const [turn, order] of orders.entries()) {
    const wanted = order.flatMap((index) => ports[index] ?? [])
    orderPins(turn % 2 === 0 ? first : second, 'inputs', wanted, ME)
    exchange()
    for (const doc of [first, second]) assert.deepEqual(readLiveDocument(doc).configuration.inputs, wanted)
  }
  const before = Y.encodeStateVector(first)
  orderPins(
    first,
    'inputs',
    orders[3]!.flatMap((index) => ports[index] ?? []),
    ME,
  )
  assert.deepEqual(Y.encodeStateVector(first), before)
})
