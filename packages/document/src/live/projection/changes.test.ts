import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as Y from 'yjs'
import { fingerprintOf } from '../../graph/fingerprint.ts'
import { createLiveDocument } from '../edit/create-live-document.ts'
import { addGroup, editGroup, removeGroups } from '../edit/groups.ts'
import { addNodes, moveNodes, removeNodes, renameNode, setEnabled, setPreviewed } from '../edit/nodes.ts'
import { pinPort, unpinPort } from '../edit/pins.ts'
import { addPort, editPort, removePort } from '../edit/ports.ts'
import { createUndoManager } from '../edit/undo-manager.ts'
import { setPanelText, setSlider, setState, setValues } from '../edit/values.ts'
import { connect, disconnect, orderWires } from '../edit/wires.ts'
import { createSlider, createTestContent, integer, into, out, own } from '../testing/test-content.ts'
import { describeChange, type LiveChange } from './changes.ts'
import { readLiveDocument } from './live-projector.ts'

/** The changes that are reported for one edit of the test document. */
function describe(edit: (doc: Y.Doc) => void): LiveChange {
  const doc = createLiveDocument(createTestContent())
  const changes: LiveChange[] = []
  doc.on('afterTransaction', (transaction) => changes.push(describeChange(transaction)))
  doc.transact(() => edit(doc))
  assert.equal(changes.length, 1)
  return changes[0]!
}

const port = { name: 'C', nickName: 'C', typeName: 'Number', access: 'item' as const, flags: [] }

const COMPUTING: Record<string, [(doc: Y.Doc) => void, string[]]> = {
  'a new node': [(doc) => addNodes(doc, [createSlider('x')]), ['x']],
  'a node less': [(doc) => removeNodes(doc, ['n1']), ['n1', 'n2']],
  'a wire': [(doc) => connect(doc, { from: own('s2'), to: into('n2') }), ['n2']],
  'a wire less': [(doc) => disconnect(doc, { from: out('n1'), to: into('n2') }), ['n2']],
  'the order of wires': [(doc) => orderWires(doc, into('n2'), [own('s1'), out('n1')]), ['n2']],
  'a value': [(doc) => setValues(doc, into('n1'), integer(5)), ['n1']],
  'a slider': [(doc) => setSlider(doc, 's1', 7), ['s1']],
  'a panel': [(doc) => setPanelText(doc, 'p1', 'new'), ['p1']],
  'the state of a node': [(doc) => setState(doc, 's1', { maximum: 7 }), ['s1']],
  'a flag': [(doc) => editPort(doc, into('n1'), { flags: { graft: true } }), ['n1']],
  'the name of a port': [(doc) => editPort(doc, into('n1'), { nickName: 'y' }), ['n1']],
  'a port': [(doc) => void addPort(doc, 'n1', { side: 'input', port }), ['n1']],
  'a port less': [(doc) => removePort(doc, into('n1', 'b')), ['n1']],
  'being switched off': [(doc) => setEnabled(doc, ['n1', 'n2'], false), ['n1', 'n2']],
}

const LOOKING: Record<string, [(doc: Y.Doc) => void, string[]]> = {
  'a move': [(doc) => moveNodes(doc, { n1: { x: 1, y: 1 }, s1: { x: 1, y: 1 } }), ['n1', 's1']],
  'a name': [(doc) => renameNode(doc, 'n1', 'x'), ['n1']],
  'a preview': [(doc) => setPreviewed(doc, ['n1'], false), ['n1']],
  'a colour': [(doc) => setState(doc, 'p1', { colour: '#00000000', size: { width: 1, height: 1 } }), ['p1']],
  'a new group': [(doc) => void addGroup(doc, { nodeInstanceIds: ['n1'] }), []],
  'a group': [(doc) => editGroup(doc, 'g1', { label: 'x', add: { nodeInstanceIds: ['n1'] } }), []],
  'a group less': [(doc) => removeGroups(doc, ['g1']), []],
  'a pin': [(doc) => pinPort(doc, 'inputs', into('n1')), []],
  'a pin less': [(doc) => unpinPort(doc, 'inputs', own('s1')), []],
}

test('[LD-30] given each edit that needs a solve, when described, then it computes, and the nodes are listed', () => {
  for (const [what, [edit, nodeInstanceIds]] of Object.entries(COMPUTING)) {
    assert.deepEqual(describe(edit), { nodeInstanceIds, isEmpty: false, computes: true, shows: true }, what)
  }
})

test('[LD-30] given each edit of the appearance, when described, then no solve is needed, and only a preview shows other geometry', () => {
  for (const [what, [edit, nodeInstanceIds]] of Object.entries(LOOKING)) {
    const shows = what === 'a preview'
    assert.deepEqual(describe(edit), { nodeInstanceIds, isEmpty: false, computes: false, shows }, what)
  }
  assert.deepEqual(
    describe(() => {}),
    { nodeInstanceIds: [], isEmpty: true, computes: false, shows: false },
  )
})

test('[LD-30] given a value that is undone, when described, then a solve is needed', () => {
  const doc = createLiveDocument(createTestContent())
  const undo = createUndoManager(doc, 'me')
  setSlider(doc, 's1', 50, 'me')
  const changes: LiveChange[] = []
  doc.on('afterTransaction', (transaction) => changes.push(describeChange(transaction)))
  undo.undo()
  assert.deepEqual(changes, [{ nodeInstanceIds: ['s1'], isEmpty: false, computes: true, shows: true }])
})

test('[DOC-20] given each edit, then the fingerprint changes if it needs a solve, and only then', () => {
  for (const [edits, isSame] of [
    [COMPUTING, false],
    [LOOKING, true],
  ] as const) {
    for (const [what, [edit]] of Object.entries(edits)) {
      const doc = createLiveDocument(createTestContent())
      const before = fingerprintOf(readLiveDocument(doc))
      edit(doc)
      assert.equal(fingerprintOf(readLiveDocument(doc)) === before, isSame, what)
    }
  }
})

test('[DOC-20] given a content as it was imported, as JSON, live, and after an edit was undone, then its fingerprint is the same', () => {
  const content = createTestContent()
  const fingerprint = fingerprintOf(content)
  const doc = createLiveDocument(content)
  const undo = createUndoManager(doc, 'me')
  setSlider(doc, 's1', 7, 'me')
  assert.notEqual(fingerprintOf(readLiveDocument(doc)), fingerprint)
  undo.undo()
  const live = readLiveDocument(doc)
  const reversed = Object.fromEntries(Object.entries(live.nodes).reverse())
  for (const same of [live, JSON.parse(JSON.stringify(live)), { ...live, nodes: reversed }])
    assert.equal(fingerprintOf(same), fingerprint)
})
