import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as Y from 'yjs'
import { createRecord } from '../../graph/record.ts'
import { openLiveProjector, readLiveDocument } from '../projection/live-projector.ts'
import { putLargeValues } from '../put-large-values.ts'
import { FIRST_CLIENT } from '../schema/layout.ts'
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
} from '../testing/test-content.ts'
import { createLiveDocument, encodeLiveDocument } from './create-live-document.ts'
import { LiveEditError } from './edit-error.ts'
import { addNodes, moveNodes } from './nodes.ts'
import { setValues } from './values.ts'

test('[LD-1, LD-2, LD-3] given a content, when a live document is made and edited, then it has a text for each property of each node', () => {
  const doc = createLiveDocument(createTestContent())
  assert.deepEqual([...doc.share.keys()].sort(), ['groups', 'nodes', 'pins'])
  addNodes(doc, [createAddition('n')])
  moveNodes(doc, { n: { x: 5, y: 6 } })
  setValues(doc, into('n'), integer(7))
  const properties = doc.getMap('nodes').get('n') as Y.Map<string>
  assert.deepEqual(
    [...properties].map(([key, text]) => [key, JSON.parse(text)]),
    [
      ['born', JSON.parse(JSON.stringify(createAddition('n')))],
      ['position', { x: 5, y: 6 }],
      ['value["n.a"]', integer(7)],
    ],
  )
})

test('[LD-4] given one content, when two make a live document of it, then the bytes are the same and read the same', () => {
  const bytes = encodeLiveDocument(createTestContent())
  assert.deepEqual(encodeLiveDocument(createTestContent()), bytes)
  assert.deepEqual([...Y.decodeStateVector(Y.encodeStateVectorFromUpdate(bytes)).keys()], [FIRST_CLIENT])
  const doc = createLiveDocument(createTestContent())
  assert.notEqual(doc.clientID, FIRST_CLIENT)
  const before = Y.encodeStateAsUpdate(doc)
  Y.applyUpdate(doc, bytes)
  assert.deepEqual(Y.encodeStateAsUpdate(doc), before)
})

test('[LD-4, LD-6] given a content, when its live document is read, then it is the same text', () => {
  const content = createTestContent()
  assert.equal(readText(createLiveDocument(content)), JSON.stringify(content))
  assert.deepEqual(readWhole(createLiveDocument(content)), content)
})

test('[LD-4, DOC-18] given ids that objects inherit or sort first, when read, then they are ordinary ids', () => {
  const ids = ['10', '__proto__', '9', 'constructor', '', 'ä"\\\u2028😀']
  const content = createContent(
    ids.map((id) =>
      createAddition(id, { [`${id}.a`]: [{ nodeInstanceId: '__proto__', portInstanceId: '__proto__.out' }] }),
    ),
  )
  assert.equal(readText(createLiveDocument(content)), JSON.stringify(content))
  assert.equal(({} as { instanceId?: string }).instanceId, undefined)
})

test('[LD-4] given content that is not of the shapes of the contract, when encoded, then it is rejected', () => {
  const node = createAddition('n')
  for (const wrong of [
    { ...node, instanceId: 'other' },
    { ...node, position: { x: Number.NaN, y: 0 } },
    { ...node, templateId: 'none' },
    { ...node, more: true },
    { ...node, values: { 'n.a': { branches: [{ path: '0', values: [] }] } } },
  ]) {
    assert.throws(
      () => encodeLiveDocument(createContent([], { nodes: createRecord([['n', wrong]]) })),
      LiveEditError,
    )
  }
})

test('[LD-5] given large values, when stored as blobs, then the document refers to them, and its text has gaps for them', async () => {
  const long = 'x"\\'.repeat(LIVE_LIMITS.inlineBytes)
  const tree = { branches: [{ path: '{0}', values: [{ type: 'string' as const, value: long }] }] }
  const panel = createPanel('p', `"$blob":"${'0'.repeat(64)}" {"$blob":"${'0'.repeat(64)}","bytes":1}`)
  const content = createContent([
    { ...createAddition('n'), values: createRecord([['n.a', tree]]) },
    { ...panel, state: { ...panel.state, text: long } },
    createPanel('q', `{"branches":[],"$blob":"${'0'.repeat(64)}","bytes":1}`),
    createSlider('s'),
  ])
  const blobs = new Map<string, string>()
  const small = await putLargeValues(content, async (json) => {
    const digest = createHash('sha256').update(json).digest('hex')
    blobs.set(digest, json)
    return digest
  })
  assert.equal(small.nodes.s, content.nodes.s, 'small values are unchanged')
  assert.deepEqual([...blobs.values()], [JSON.stringify(tree), JSON.stringify(long)])
  const doc = createLiveDocument(small)
  assert.ok(Y.encodeStateAsUpdate(doc).length < 10_000)
  const pieces = openLiveProjector(doc).readJson()
  assert.deepEqual(
    pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.bytes)),
    [...blobs.values()].map((json) => Buffer.byteLength(json)),
  )
  const whole = pieces.map((piece) => (typeof piece === 'string' ? piece : blobs.get(piece.$blob))).join('')
  assert.equal(whole, JSON.stringify(content))
  assert.equal(JSON.stringify(readLiveDocument(doc)), JSON.stringify(small))
})
