import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PortReference } from '@meadow/contract'
import * as Y from 'yjs'
import { createRecord } from '../../graph/record.ts'
import { createLiveDocument } from '../edit/create-live-document.ts'
import { addNodes, moveNodes, removeNodes, renameNode } from '../edit/nodes.ts'
import { createUndoManager } from '../edit/undo-manager.ts'
import { setState, setValues } from '../edit/values.ts'
import { CREATION_RECORD, FIRST_CLIENT } from '../schema/layout.ts'
import { LIVE_LIMITS, type LiveLimits } from '../schema/limits.ts'
import { formatPropertyKey } from '../schema/property-key.ts'
import { encodeUpdate } from '../testing/encode-update.ts'
import { hasPending, readText, readWhole, reload } from '../testing/read-whole.ts'
import {
  createAddition,
  createContent,
  createSlider,
  createTestContent,
  integer,
  into,
  own,
} from '../testing/test-content.ts'
import type { Struct } from './decode-update.ts'
import { hasChanges } from './has-changes.ts'
import { openUpdateCheck } from './update-check.ts'

/** A server's document with its check, and an editor's copy of it. */
function createCheck({
  owners = new Map<number, string>(),
  limits = LIVE_LIMITS,
}: {
  owners?: Map<number, string>
  limits?: LiveLimits
} = {}) {
  const server = createLiveDocument(createTestContent())
  const editor = reload(server)
  return { server, editor, owners, ...openUpdateCheck(server, { owners, limits }) }
}

/** The one update that an edit makes. */
function capture(doc: Y.Doc, edit: (doc: Y.Doc) => void, origin?: unknown): Uint8Array {
  const updates: Uint8Array[] = []
  const take = (update: Uint8Array) => updates.push(update)
  doc.on('update', take)
  doc.transact(() => edit(doc), origin)
  doc.off('update', take)
  assert.equal(updates.length, 1)
  return updates[0]!
}

/** The code of the rejection; asserts that nothing has changed. */
function rejection({ server, check }: ReturnType<typeof createCheck>, update: Uint8Array, owner = 'me') {
  const before = Y.encodeStateAsUpdate(server)
  const checked = check(update, owner)
  assert.deepEqual(Y.encodeStateAsUpdate(server), before)
  assert.match(checked.rejected?.sentence ?? 'None.', /^[A-Z].+\.$/)
  return checked.rejected?.code
}

test('[LD-40, LD-42] given an honest edit, when checked, then it is accepted with its new client, and nothing has changed yet', () => {
  const setup = createCheck()
  const update = capture(setup.editor, (doc) => renameNode(doc, 'n1', 'Sum'))
  const before = readText(setup.server)
  assert.deepEqual(setup.check(update, 'me'), {
    newClients: [setup.editor.clientID],
    values: [],
  })
  assert.equal(readText(setup.server), before)
  Y.applyUpdate(setup.server, update)
  assert.equal(readWhole(setup.server).nodes.n1?.nickName, 'Sum')
})

test('[LD-48] given an update that the document has already, then it has no changes; a deletion has, and bytes that cannot be decoded', () => {
  const { server, editor } = createCheck()
  const update = capture(editor, (doc) => removeNodes(doc, ['n1']))
  assert.equal(hasChanges(server, update), true)
  Y.applyUpdate(server, update)
  assert.equal(hasChanges(server, update), false)
  assert.equal(hasChanges(server, Y.encodeStateAsUpdate(editor)), false)
  assert.equal(hasChanges(server, Y.encodeStateAsUpdate(editor, Y.encodeStateVector(server))), false)
  const deletion = capture(editor, (doc) => doc.getMap('groups').delete('g1'))
  assert.equal(hasChanges(server, deletion), true)
  assert.equal(hasChanges(server, update.subarray(0, -1)), true)
  // A deletion of structs that were never written.
  assert.equal(hasChanges(server, Uint8Array.of(0, 1, 99, 1, 0, 1)), true)
})

test('[LD-48] given references to the blob store, when checked, then they are listed', () => {
  const { editor, check } = createCheck()
  const [tree, text] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const update = capture(editor, (doc) => {
    setValues(doc, own('s1'), { branches: [], $blob: tree, bytes: 5 } as never)
    setState(doc, 's1', { more: { $blob: text, bytes: 6 } })
  })
  const checked = check(update, 'me')
  assert.deepEqual(!checked.rejected && checked.values, [
    { digest: tree, bytes: 5, isTree: true },
    { digest: text, bytes: 6, isTree: false },
  ])
})

test('[LD-46] given references beyond the limit, when checked, then too large; updates without references pass', () => {
  const { server, check } = createCheck({ limits: { ...LIVE_LIMITS, valueBytes: 100 } })
  const refer = (port: PortReference, bytes: number) =>
    capture(reload(server), (doc) =>
      setValues(doc, port, { branches: [], $blob: 'ab'.repeat(32), bytes } as never),
    )
  const first = refer(own('s1'), 60)
  assert.equal(check(first, 'me').rejected, undefined)
  Y.applyUpdate(server, first)
  assert.equal(check(refer(into('n1'), 60), 'me').rejected?.code, 'too_large')
  const other = reload(server)
  const moved = capture(other, (doc) => moveNodes(doc, { n1: { x: 1, y: 1 } }))
  assert.equal(check(moved, 'you').rejected, undefined)
})

test('[LD-43] given a client of another user, of the first content, or without an owner, when an update has it, then rejected', () => {
  const owners = new Map([[7, 'victim']])
  const setup = createCheck({ owners })
  for (const [client, code] of [
    [7, 'foreign_client'],
    [FIRST_CLIENT, 'foreign_client'],
    [8, undefined],
  ] as const) {
    const editor = reload(setup.server)
    editor.clientID = client
    assert.equal(
      rejection(
        setup,
        capture(editor, (doc) => renameNode(doc, 'n1', 'x')),
      ),
      code,
      `client ${client}`,
    )
  }
  setup.editor.clientID = 9
  Y.applyUpdate(
    setup.server,
    capture(setup.editor, (doc) => renameNode(doc, 'n1', 'x')),
  )
  const next = capture(setup.editor, (doc) => renameNode(doc, 'n1', 'y'))
  assert.equal(rejection(setup, next), 'foreign_client')
  owners.set(9, 'me')
  assert.equal(rejection(setup, next), undefined)
})

test('[LD-44] given an update that builds on something missing, when checked, then it is behind, until that has arrived', () => {
  const setup = createCheck()
  const first = capture(setup.editor, (doc) => addNodes(doc, [createAddition('new')]))
  const second = capture(setup.editor, (doc) => renameNode(doc, 'new', 'x'))
  const deletion = capture(setup.editor, (doc) => doc.getMap('nodes').delete('new'))
  assert.equal(rejection(setup, second), 'behind')
  assert.equal(rejection(setup, deletion), 'behind')
  Y.applyUpdate(setup.server, first)
  setup.owners.set(setup.editor.clientID, 'me')
  assert.equal(rejection(setup, deletion), 'behind')
  assert.equal(rejection(setup, second), undefined)
  Y.applyUpdate(setup.server, second)
  assert.equal(rejection(setup, deletion), undefined)
})

test('[LD-40] given bytes that are not an update, or more than one, when checked, then malformed', () => {
  const setup = createCheck()
  const update = capture(setup.editor, (doc) => renameNode(doc, 'n1', 'Sum'))
  const twice = Uint8Array.of(2, ...update.subarray(1, -1), ...update.subarray(1))
  for (const bytes of [
    new Uint8Array(),
    Uint8Array.of(1),
    Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255, 255, 1),
    update.subarray(0, -1),
    Uint8Array.of(...update, 0),
    twice,
  ]) {
    assert.equal(rejection(setup, bytes), 'malformed')
  }
})

/** Updates that a hostile Yjs client could write. */
const HOSTILE: Record<string, (doc: Y.Doc, node: Y.Map<unknown>) => void> = {
  'an unknown root': (doc) => doc.getMap('more').set('a', '1'),
  'an unknown root as text': (doc) => doc.getText('more').insert(0, 'x'),
  'a sub-document': (_, node) => node.set('position', new Y.Doc()),
  'a sub-document for a node': (doc) => doc.getMap('nodes').set('x', new Y.Doc()),
  'text of Yjs': (_, node) => node.set('nickName', new Y.Text('x')),
  'a record inside a node': (_, node) => node.set('value["n1.a"]', new Y.Map()),
  'a list': (_, node) => node.set('position', new Y.Array()),
  'an element': (_, node) => node.set('position', new Y.XmlElement('a')),
  bytes: (_, node) => node.set('position', new Uint8Array(3)),
  'a number': (_, node) => node.set('position', 5),
  NaN: (_, node) => node.set('position', Number.NaN),
  'a big whole number': (_, node) => node.set('position', 5n),
  'an object': (_, node) => node.set('position', { x: 1, y: 2 }),
  undefined: (_, node) => node.set('position', undefined),
  'no JSON': (_, node) => node.set('position', '{x:1}'),
  'half a point': (_, node) => node.set('position', '{"x":1}'),
  'a point too far': (_, node) => node.set('position', '{"x":1e999,"y":0}'),
  'a point and more': (_, node) => node.set('position', '{"x":1,"y":0,"z":0}'),
  'an unknown property': (_, node) => node.set('colour', '"red"'),
  'an inherited property': (_, node) => node.set('__proto__', '{}'),
  'a property with too few ids': (_, node) => node.set('value', 'null'),
  'a key with blanks': (_, node) => node.set('value[ "n1.a"]', 'null'),
  'a key that is no list': (_, node) => node.set('value[1]', 'null'),
  'an unknown flag': (_, node) => node.set(formatPropertyKey('port.flag', 'n1.a', 'burn'), 'true'),
  'no tree': (_, node) => node.set('value["n1.a"]', '{"branches":{}}'),
  'paths out of order': (_, node) =>
    node.set('value["n1.a"]', '{"branches":[{"path":"{1}","values":[]},{"path":"{0}","values":[]}]}'),
  'an unknown type of value': (_, node) =>
    node.set('value["n1.a"]', '{"branches":[{"path":"{0}","values":[{"type":"__proto__","value":1}]}]}'),
  'a digest that is none': (_, node) => node.set('value["n1.a"]', '{"branches":[],"$blob":"x","bytes":1}'),
  'a reference with its members the other way round': (_, node) =>
    node.set('value["n1.a"]', `{"branches":[],"bytes":1,"$blob":"${'0'.repeat(64)}"}`),
  'state that pollutes': (_, node) => node.set('state["x"]', '{"__proto__":{"a":1}}'),
  'a name of state that pollutes': (_, node) => node.set('state["__proto__"]', '1'),
  'a reference in other characters': (_, node) =>
    node.set('value["n1.a"]', `{"branches":[],"$blob":"${'0'.repeat(64)}", "bytes":1}`),
  'a reference in other characters, in the state of a node': (_, node) =>
    node.set('state["x"]', `{"\\u0024blob":"${'0'.repeat(64)}","bytes":1}`),
  'a hidden reference': (_, node) => node.set('state["x"]', `[{"$blob":"${'0'.repeat(64)}","bytes":1}]`),
  'state that is too deep': (_, node) => node.set('state["x"]', '['.repeat(5_000) + ']'.repeat(5_000)),
  'state that is far too deep': (_, node) =>
    node.set('state["x"]', '['.repeat(400_000) + ']'.repeat(400_000)),
  'a node that is none': (doc) => doc.getMap('nodes').set('x', new Y.Map([[CREATION_RECORD, '{}']])),
  'a node with the id of another': (doc) =>
    doc.getMap('nodes').set('x', new Y.Map([[CREATION_RECORD, JSON.stringify(createSlider('y'))]])),
  'a node that is text': (doc) => doc.getMap('nodes').set('x', 'text'),
  'a node with an id that is too long': (doc) => doc.getMap('nodes').set('x'.repeat(500), new Y.Map()),
  'a group that is none': (doc) =>
    doc.getMap('groups').set('x', new Y.Map([[CREATION_RECORD, '{"id":"x"}']])),
  'a property of a node on a group': (doc) =>
    (doc.getMap('groups').get('g1') as Y.Map<string>).set('position', '{"x":1,"y":1}'),
  'a pin of nothing': (doc) => doc.getMap('pins').set('inputs', 'true'),
  'a pin with another value': (doc) => doc.getMap('pins').set('inputs["n1","n1.a"]', '"yes"'),
  'a record for a pin': (doc) => doc.getMap('pins').set('inputs["n1","n1.a"]', new Y.Map()),
}

test('[LD-45] given anything that documents do not hold, when checked, then rejected as not valid', () => {
  for (const [what, write] of Object.entries(HOSTILE)) {
    const setup = createCheck()
    const update = capture(setup.editor, (doc) => write(doc, doc.getMap('nodes').get('n1') as Y.Map<unknown>))
    assert.equal(rejection(setup, update), 'not_valid', what)
  }
})

test('[LD-45] given ids that every object inherits, for a node, a group or a port, when checked, then rejected as not valid', () => {
  for (const id of ['__proto__', 'constructor', 'toString', '__defineGetter__', 'hasOwnProperty']) {
    const port = JSON.stringify({ ...createAddition('x').ports['x.a'], side: 'input', order: 1 })
    const additions: Record<string, (doc: Y.Doc) => void> = {
      node: (doc) => addNodes(doc, [createAddition(id)]),
      group: (doc) => doc.getMap('groups').set(id, new Y.Map()),
      port: (doc) =>
        (doc.getMap('nodes').get('n1') as Y.Map<string>).set(formatPropertyKey('port', id), port),
      'port of a new node': (doc) => {
        const { ports, ...node } = createAddition('x')
        const created = {
          ...node,
          inputs: createRecord([[id, 0]]),
          ports: createRecord([[id, ports['x.a']!]]),
        }
        doc.getMap('nodes').set('x', new Y.Map([[CREATION_RECORD, JSON.stringify(created)]]))
      },
    }
    for (const [what, write] of Object.entries(additions)) {
      const setup = createCheck()
      assert.equal(rejection(setup, capture(setup.editor, write)), 'not_valid', `${what} ${id}`)
    }
  }
})

test('[LD-45] given list items in place of properties, when checked, then rejected', () => {
  const setup = createCheck()
  const editor = new Y.Doc()
  editor.getArray('nodes').insert(0, ['x'])
  assert.equal(rejection(setup, Y.encodeStateAsUpdate(editor)), 'malformed')
})

test('[LD-46] given limits, when an update would pass them, then too large; existing content can still be edited', () => {
  const add = (id: string) => (doc: Y.Doc) =>
    addNodes(doc, [createAddition(id, { [`${id}.a`]: [own('s1')] })])
  for (const limit of [{ nodes: 7 }, { wires: 6 }, { documentBytes: 2_600 }]) {
    const setup = createCheck({ limits: { ...LIVE_LIMITS, ...limit } })
    assert.equal(rejection(setup, capture(setup.editor, add('x'))), 'too_large', JSON.stringify(limit))
  }
  const full = createCheck({ limits: { ...LIVE_LIMITS, nodes: 1, wires: 1 } })
  assert.equal(
    rejection(
      full,
      capture(full.editor, (doc) => moveNodes(doc, { n1: { x: 1, y: 1 } })),
    ),
    undefined,
  )
  for (const limit of [{ updateBytes: 100 }, { propertyBytes: 100 }]) {
    const setup = createCheck({ limits: { ...LIVE_LIMITS, ...limit } })
    assert.equal(rejection(setup, capture(setup.editor, add('x'))), 'too_large', JSON.stringify(limit))
  }
})

test('[LD-46] given updates of millions of tiny structs, when checked, then they are rejected before they take memory', () => {
  const setup = createCheck()
  const update = (head: number[], pair: [number, number]) =>
    Buffer.concat([Uint8Array.from(head), Buffer.alloc(1_200_000, Uint8Array.from(pair))])
  const many = [0xff, 0xff, 0x7f]
  // One client, number 9, with structs from clock 0 on: each deleted with all around it (0), of length 1.
  assert.equal(rejection(setup, update([1, ...many, 9, 0], [0, 1])), 'too_large')
  // A struct with texts at the key `a` of the root `a`: each a text (119) of no characters.
  assert.equal(rejection(setup, update([1, 1, 9, 0, 0x28, 1, 1, 97, 1, 97, ...many], [119, 0])), 'too_large')
  // No structs, and deletions: each from clock 1 on, of length 1.
  assert.equal(rejection(setup, update([0, 1, 9, ...many], [1, 1])), 'too_large')
})

test('[LD-46] given a document that grew and shrank, when its upper bound is at the limit, then it is measured before anything is rejected', () => {
  const limits = { ...LIVE_LIMITS, nodes: 8 }
  const setup = createCheck({ limits })
  for (let round = 0; round < 20; round++) {
    const update = capture(setup.editor, (doc) => addNodes(doc, [createAddition('x')]))
    assert.equal(rejection(setup, update), undefined, `round ${round}`)
    Y.applyUpdate(setup.server, update)
    setup.owners.set(setup.editor.clientID, 'me')
    Y.applyUpdate(
      setup.server,
      capture(setup.editor, (doc) => removeNodes(doc, ['x'])),
    )
  }
})

test('[LD-47] given thousands of edits of one property that overlook each other, when checked, then rejected, and one that overlooks what is there is accepted', () => {
  const setup = createCheck()
  // Each is written as if it were the first: Yjs would walk along all of them for each.
  const editors = Array.from({ length: 500 }, (_, i) => {
    const editor = reload(setup.server)
    editor.clientID = 10_000 + i
    return capture(editor, (doc) => renameNode(doc, 'n1', String(i)))
  })
  assert.equal(rejection(setup, Y.mergeUpdates(editors)), 'malformed')
  for (const [i, update] of editors.entries()) {
    setup.owners.set(10_000 + i, 'me')
    Y.applyUpdate(setup.server, update)
  }
  const late = reload(createLiveDocument(createTestContent()))
  assert.equal(
    rejection(
      setup,
      capture(late, (doc) => renameNode(doc, 'n1', 'late')),
    ),
    undefined,
  )
})

test('[LD-47] given an edit that overlooks thousands of others at its location, when checked, then its editor is behind', () => {
  const setup = createCheck()
  const stale = capture(setup.editor, (doc) => renameNode(doc, 'n1', 'stale'))
  const busy = (edits: number) =>
    setup.server.transact(() => {
      // Two properties in turn, so that Yjs cannot make one piece of many.
      for (let edit = 0; edit < edits; edit++) {
        renameNode(setup.server, 'n1', String(edit))
        moveNodes(setup.server, { n1: { x: edit, y: -1 } })
      }
    })
  busy(1_000)
  assert.equal(rejection(setup, stale), undefined)
  busy(5_000)
  assert.equal(rejection(setup, stale), 'behind')
})

test('[LD-47] given forged edits that follow an item twice, when checked, then rejected', () => {
  const setup = createCheck()
  const first = capture(setup.editor, (doc) => renameNode(doc, 'n1', 'first'))
  Y.applyUpdate(setup.server, first)
  const client = 5_000
  const origin = { client: setup.editor.clientID, clock: 0 }
  const write = (clock: number): Struct => ({
    client,
    clock,
    length: 1,
    content: ['"made up"'],
    origin,
    parent: undefined,
    key: undefined,
  })
  const update = (...structs: Struct[]) =>
    encodeUpdate({ structs: new Map([[client, structs]]), deletions: [] })
  assert.equal(rejection(setup, update(write(0), write(1))), 'malformed')
  assert.equal(rejection(setup, update(write(0))), undefined)
  Y.applyUpdate(setup.server, update(write(0)))
  setup.owners.set(client, 'me')
  assert.equal(rejection(setup, update(write(1))), 'malformed')
  setup.server.transact(() => {
    for (let edit = 0; edit < 6_000; edit++) {
      renameNode(setup.server, 'n1', String(edit))
      moveNodes(setup.server, { n1: { x: edit, y: -1 } })
    }
  })
  const late = { ...write(0), client: client + 1 }
  const lateUpdate = encodeUpdate({ structs: new Map([[late.client, [late]]]), deletions: [] })
  assert.equal(rejection(setup, lateUpdate), 'behind')
})

test('[LD-47] given an item to the left of another, when checked, then rejected, since no operation writes one', () => {
  const setup = createCheck()
  const text = (value: string) => [value.length, ...Buffer.from(value)]
  const pin = [1, ...text('pins'), ...text('inputs["n1","n1.a"]'), 1, 119, ...text('true')]
  const update = (info: number) => Uint8Array.of(1, 1, 9, 0, info, ...pin, 0)
  assert.equal(rejection(setup, update(0x28)), undefined)
  assert.equal(rejection(setup, update(0x68)), 'malformed')
})

test('[LD-41, LD-42] given a struct that the document has in part, when its rest has another location, then rejected; otherwise accepted', () => {
  const setup = createCheck()
  setup.editor.clientID = 5_000
  setup.owners.set(5_000, 'me')
  Y.applyUpdate(
    setup.server,
    capture(setup.editor, (doc) => renameNode(doc, 'n1', 'x')),
  )
  const nodes = (setup.server.getMap('nodes').get('n1') as Y.Map<string>)._item!.id
  const continued = (key: string) =>
    encodeUpdate({
      structs: new Map([
        [
          5_000,
          [
            {
              client: 5_000,
              clock: 0,
              length: 2,
              content: ['"x"', '"y"'],
              origin: undefined,
              parent: nodes,
              key,
            },
          ],
        ],
      ]),
      deletions: [],
    })
  assert.equal(rejection(setup, continued('value["n1.a"]')), 'malformed')
  assert.equal(rejection(setup, continued('nickName')), undefined)
  Y.applyUpdate(setup.server, continued('nickName'))
  assert.equal(readWhole(setup.server).nodes.n1?.nickName, 'y')
})

test('[LD-47] given a client that writes twice after the same edit, when checked, then rejected', () => {
  const setup = createCheck()
  const twin = reload(setup.server)
  twin.clientID = setup.editor.clientID
  const first = capture(setup.editor, (doc) => renameNode(doc, 'n1', 'first'))
  capture(twin, (doc) => moveNodes(doc, { n1: { x: 1, y: 1 } }))
  const second = capture(twin, (doc) => renameNode(doc, 'n1', 'second'))
  Y.applyUpdate(setup.server, first)
  setup.owners.set(twin.clientID, 'me')
  assert.equal(rejection(setup, second), 'malformed')
})

test('[LD-41, LD-22] given an edit inside a node that was removed meanwhile, when checked, then it is accepted, and has no effect', () => {
  const setup = createCheck()
  const other = reload(setup.server)
  const undo = createUndoManager(other, 'me')
  Y.applyUpdate(
    setup.server,
    capture(other, (doc) => removeNodes(doc, ['n1']), 'me'),
  )
  const update = capture(setup.editor, (doc) => {
    renameNode(doc, 'n1', 'late')
    setValues(doc, into('n1'), integer(5))
  })
  assert.equal(rejection(setup, update), undefined)
  Y.applyUpdate(setup.server, update)
  assert.equal(hasPending(setup.server), false)
  assert.equal(readWhole(setup.server).nodes.n1, undefined)
  undo.undo()
  assert.ok(readWhole(other).nodes.n1)
})

test('[LD-46] given thousands of nodes that are removed and restored at once, when checked, then accepted', () => {
  const content = createContent(Array.from({ length: 2_000 }, (_, i) => createAddition(`n${i}`)))
  const server = createLiveDocument(content)
  const editor = reload(server)
  const undo = createUndoManager(editor, 'me')
  const removal = capture(editor, (doc) => removeNodes(doc, Object.keys(content.nodes)), 'me')
  Y.applyUpdate(server, removal)
  const { check } = openUpdateCheck(server, { owners: new Map() })
  const before = Y.encodeStateVector(editor)
  undo.undo()
  const back = Y.encodeStateAsUpdate(editor, before)
  assert.equal(check(back, 'me').rejected, undefined)
})
