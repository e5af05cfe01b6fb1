import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as Y from 'yjs'
import { createLiveDocument } from '../edit/create-live-document.ts'
import { LiveEditError } from '../edit/edit-error.ts'
import { addGroup } from '../edit/groups.ts'
import { addNodes, moveNodes, removeNodes, renameNode } from '../edit/nodes.ts'
import { pinPort } from '../edit/pins.ts'
import { createUndoManager } from '../edit/undo-manager.ts'
import { setValues } from '../edit/values.ts'
import { connect } from '../edit/wires.ts'
import { CREATION_RECORD } from '../schema/layout.ts'
import { operate } from '../testing/random-operation.ts'
import { readText, readWhole, reload } from '../testing/read-whole.ts'
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
import { openLiveProjector, readLiveDocument } from './live-projector.ts'

test('[LD-14] given a document that was read, when nothing or one thing changes, then the rest is the same objects', () => {
  const doc = createLiveDocument(createTestContent())
  const reader = openLiveProjector(doc)
  const first = reader.read()
  assert.equal(reader.read(), first)
  setValues(doc, into('n1'), integer(9))
  const second = reader.read()
  assert.deepEqual(second.nodes.n1?.values['n1.a'], integer(9))
  for (const id of ['s1', 's2', 'n2', 'p1']) assert.equal(second.nodes[id], first.nodes[id])
  assert.deepEqual([second.groups, second.configuration], [first.groups, first.configuration])
  assert.equal(second.groups, first.groups)
  addGroup(doc, { nodeInstanceIds: ['n1'] })
  const third = reader.read()
  assert.equal(third.nodes, second.nodes)
  assert.equal(third.groups.length, 3)
  reader.close()
  renameNode(doc, 'n1', 'unseen')
  assert.equal(reader.read(), third, 'a closed reader watches no more')
})

test('[LD-14] given wires from a node that is removed and restored, when read each time, then their receivers are read again', () => {
  const doc = createLiveDocument(createTestContent())
  const reader = openLiveProjector(doc)
  const read = () => {
    const text = reader.readJson().join('')
    assert.equal(text, readText(doc))
    assert.equal(JSON.stringify(reader.read()), text)
    return reader.read()
  }
  pinPort(doc, 'inputs', into('n1'))
  assert.deepEqual(read().configuration.inputs[2], into('n1'))
  const properties = doc.getMap('nodes')
  const born = (properties.get('n1') as Y.Map<string>).get(CREATION_RECORD)!
  properties.delete('n1') // as when somebody else wired to it meanwhile
  assert.deepEqual(Object.keys(read().nodes.n2?.sources['n2.a'] ?? {}), ['0'])
  assert.deepEqual(read().groups[1]?.nodeInstanceIds, [])
  assert.equal(read().configuration.inputs.length, 2)
  properties.set('n1', new Y.Map([[CREATION_RECORD, born]]))
  assert.deepEqual(read().nodes.n2?.sources['n2.a'], [out('n1'), own('s1')])
  assert.deepEqual(Object.keys(read().nodes), ['s1', 's2', 'n2', 'p1', 'n1'])
})

test('[LD-11] given entries that do not belong in a document, when read, then they are ignored', () => {
  const doc = createLiveDocument(createTestContent())
  const before = readText(doc)
  const roots = {
    nodes: doc.getMap<unknown>('nodes'),
    groups: doc.getMap<unknown>('groups'),
    pins: doc.getMap<unknown>('pins'),
  }
  const node = roots.nodes.get('n1') as Y.Map<unknown>
  const deep: unknown[] = []
  let inner = deep
  for (let depth = 0; depth < 500; depth++) inner = inner[inner.push([]) - 1] as unknown[]
  doc.transact(() => {
    for (const [index, wrong] of [
      5,
      null,
      'x',
      '{',
      new Uint8Array(1),
      { x: 1 },
      deep,
      new Y.Doc(),
      new Y.Text('x'),
      new Y.Map(),
      new Y.Map([[CREATION_RECORD, '{}']]),
    ].entries()) {
      roots.nodes.set(`wrong${index}`, wrong)
      roots.groups.set(`wrong${index}`, wrong instanceof Y.AbstractType || wrong instanceof Y.Doc ? 1 : wrong)
      node.set(`wrong${index}`, 'true')
    }
    node.set('position', 7)
    node.set('nickName', '7')
    node.set('__proto__', '{"x":1}')
    node.set('value["n1.a"]', '{}')
    node.set('wire["n1.a"]', '1')
    node.set('state["kind"]', '"slider"')
    node.set('port.nickName["gone"]', '"x"')
    roots.pins.set('inputs["gone","gone"]', 'true')
    roots.pins.set('nonsense', 'true')
    doc.getMap('more').set('a', 1)
  })
  assert.equal(JSON.stringify(readWhole(doc)), before)
})

test('[LD-6, LD-13] given values and wires of ports that had none, when read, then they are in the order of the ports', () => {
  const addition = createAddition('n')
  const backwards = { ...addition, inputs: { 'n.b': 0, 'n.a': 1 }, values: {}, sources: {} }
  const doc = createLiveDocument(createContent([backwards, createSlider('s')]))
  for (const port of [out('n'), into('n', 'a'), into('n', 'b')]) setValues(doc, port, integer(1))
  for (const input of ['a', 'b'] as const) connect(doc, { from: own('s'), to: into('n', input) })
  const { values, sources } = readWhole(doc).nodes.n!
  assert.deepEqual(Object.keys(values), ['n.b', 'n.a', 'n.out'])
  assert.deepEqual(Object.keys(sources), ['n.b', 'n.a'])
})

test('[LD-12] given two users who add nodes with the same port, when merged, then the first in the order of ids has it', () => {
  const doc = createLiveDocument(createContent([]))
  const other = reload(doc)
  const withPort = (id: string) => ({
    ...createAddition(id),
    inputs: { shared: 0, [`${id}.a`]: 1 },
    ports: { ...createAddition(id).ports, shared: createAddition(id).ports[`${id}.b`]! },
  })
  const reader = openLiveProjector(doc)
  addNodes(doc, [withPort('b')])
  assert.deepEqual(Object.keys(reader.read().nodes.b!.inputs), ['shared', 'b.a'])
  addNodes(other, [withPort('a')])
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other))
  assert.deepEqual(Object.keys(reader.read().nodes.b!.inputs), ['b.a'])
  assert.deepEqual({ ...readWhole(doc).nodes.a!.inputs }, { shared: 0, 'a.a': 1 })
  removeNodes(doc, ['a'])
  assert.deepEqual(Object.keys(reader.read().nodes.b!.inputs), ['shared', 'b.a'])
})

test('[LD-12] given a user who removes nodes while another groups and pins them, when merged, then neither refers to removed nodes', () => {
  const doc = createLiveDocument(createTestContent())
  const other = reload(doc)
  removeNodes(doc, ['s1'])
  addGroup(other, { id: 'late', nodeInstanceIds: ['s1', 'n1'] })
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other))
  const { groups, configuration } = readWhole(doc)
  assert.deepEqual(
    groups.map(({ nodeInstanceIds }) => nodeInstanceIds),
    [['s2'], ['n1'], ['n1']],
  )
  assert.deepEqual(configuration.inputs, [own('s2')])
})

test('[LD-6] given nodes of the first content and of several editors, when read after any order of updates, then in one order', () => {
  const doc = createLiveDocument(createContent([createSlider('z'), createSlider('y')]))
  const others = [300, 20].map((client) => {
    const other = reload(doc)
    other.clientID = client
    addNodes(other, [createPanel(`b${client}`)])
    addNodes(other, [createPanel(`a${client}`)])
    return Y.encodeStateAsUpdate(other)
  })
  const orders = [others, others.toReversed()].map((updates) => {
    const merged = reload(doc)
    for (const update of updates) Y.applyUpdate(merged, update)
    return Object.keys(readWhole(merged).nodes)
  })
  const order = ['z', 'y', 'b20', 'a20', 'b300', 'a300']
  assert.deepEqual(orders, [order, order])
})

test('[LD-10, LD-14] given a large document under edit, when read after each edit, then only what was edited is written anew', (t) => {
  const nodes = Array.from({ length: 2_000 }, (_, i) =>
    createAddition(`n${i}`, i > 0 ? { [`n${i}.a`]: [out(`n${i - 1}`)] } : {}),
  )
  const doc = createLiveDocument(createContent(nodes))
  const undo = createUndoManager(doc, 'me')
  const reader = openLiveProjector(doc)
  const lookups = t.mock.method(Y.Map.prototype, 'get').mock
  const forEach = t.mock.method(Y.Map.prototype, 'forEach').mock
  const countReads = (run: () => void) => {
    lookups.resetCalls()
    forEach.resetCalls()
    run()
    return lookups.callCount() + forEach.callCount()
  }
  const whole = countReads(() => reader.readJson())
  assert.ok(whole >= nodes.length, `${whole} reads of the document`)
  for (let x = 1; x <= 30; x++) {
    const reads = countReads(() => {
      moveNodes(doc, { n7: { x, y: 0 } }, 'me')
      reader.readJson()
    })
    assert.ok(reads < whole / 20, `${reads} reads of the document after an edit, and ${whole} of all of it`)
  }
  undo.undo()
  connect(doc, { from: out('n5'), to: into('n9', 'b') })
  assert.equal(reader.readJson().join(''), readText(doc))
})

test('[LD-14] given a large document that is edited between the steps of prepareJson, when read, then the text is that of a full read', () => {
  const nodes = Array.from({ length: 350 }, (_, i) =>
    createAddition(`n${i}`, i > 0 ? { [`n${i}.a`]: [out(`n${i - 1}`)] } : {}),
  )
  const content = createContent(nodes)
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), { maxLength: 8 }), (edits) => {
      const doc = createLiveDocument(content)
      const reader = openLiveProjector(doc)
      let steps = 0
      for (const _step of reader.prepareJson()) {
        const numbers = edits[steps++] ?? []
        const choose = (limit: number) => (numbers.pop() ?? 0) % limit
        try {
          operate(doc, choose, 'me', `new${steps}`)
        } catch (error) {
          if (!(error instanceof LiveEditError)) throw error
        }
      }
      assert.ok(steps >= 6, `${steps} steps`)
      assert.equal(reader.readJson().join(''), readText(doc))
      // A read between two steps does the rest of them.
      removeNodes(doc, Object.keys(readLiveDocument(doc).nodes).slice(0, 150))
      for (const _step of reader.prepareJson()) {
        removeNodes(doc, Object.keys(readLiveDocument(doc).nodes).slice(0, 1))
        assert.equal(reader.readJson().join(''), readText(doc))
      }
      assert.equal(reader.readJson().join(''), readText(doc))
    }),
    { numRuns: 20 },
  )
})
