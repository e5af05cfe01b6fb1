import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { MessageType } from '@hocuspocus/server'
import { addNodes, createNode, LIVE_LIMITS, LiveError, renameNode } from '@meadow/client/live'
import { type DocumentId, LIVE_CLOSE } from '@meadow/contract'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { setMember } from '../../access/members.ts'
import type { Database } from '../../platform/database/database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import {
  awarenessFrame,
  connectRaw,
  type RawClient,
  requestFrame,
  responseFrame,
  statelessFrame,
  updateFrame,
} from './testing/raw-client.ts'
import { addSlider, createSlider, sliderContent } from './testing/sliders.ts'
import { nextEvent, startLiveServer, untilRead } from './testing/start-live-server.ts'

const countChanges = async ({ read }: Database) =>
  (await read.selectFrom('document_change').select('seq').execute()).length

/** The update of an empty copy that `work` edited. */
function updateOf(work: (doc: Y.Doc) => void, client?: number): Uint8Array {
  const doc = new Y.Doc()
  if (client !== undefined) doc.clientID = client
  work(doc)
  return Y.encodeStateAsUpdate(doc)
}

/** Waits for the server's acknowledgements of so many messages: 1 for a stored one, 0 for others. */
async function untilStatuses({ received, next }: RawClient, wanted: number[]): Promise<void> {
  const read = () => received.flatMap((message) => readStatus(message) ?? [])
  while (read().length < wanted.length) await next()
  assert.deepEqual(read(), wanted)
}

function readStatus(message: Uint8Array): number | undefined {
  const decoder = decoding.createDecoder(message)
  decoding.readVarString(decoder)
  return decoding.readVarUint(decoder) === MessageType.SyncStatus ? decoding.readVarInt(decoder) : undefined
}

/** Messages that no correct client sends, and the sentences for them. */
const HOSTILE: Record<string, (id: DocumentId) => Uint8Array | string> = {
  'bytes that are no message': () => randomBytes(40),
  'a message of a kind that clients do not send': (id) =>
    updateFrame(id, new Uint8Array()).with(id.length + 1, 6),
  text: () => 'hello',
  'a presence that is no JSON': (id) => awarenessFrame(id, new Uint8Array([1, 1, 1, 1, 123])),
  'a stateless message': (id) => statelessFrame(id, '{}'),
  'a state vector that is longer than it says': (id) => requestFrame(id, new Uint8Array([0, 1])),
  'bytes that are no update': (id) => updateFrame(id, randomBytes(60)),
  'an update that ends too early': (id) =>
    updateFrame(id, updateOf((doc) => addNodes(doc, [createSlider()])).slice(0, 50)),
  'a root that documents do not have': (id) =>
    updateFrame(
      id,
      updateOf((doc) => doc.getMap('secrets').set('a', 'b')),
    ),
  'a value that is no text': (id) =>
    updateFrame(
      id,
      updateOf((doc) => doc.getMap('nodes').set('a', 5)),
    ),
  'a document inside of the document': (id) =>
    updateFrame(
      id,
      updateOf((doc) => doc.getMap('nodes').set('a', new Y.Doc())),
    ),
  'a node called __proto__ that is none': (id) =>
    updateFrame(
      id,
      updateOf((doc) => doc.getMap('nodes').set('__proto__', new Y.Map([['born', '{}']]))),
    ),
  'an edit that builds on others that never come': (id) => {
    const doc = new Y.Doc()
    addNodes(doc, [createSlider()])
    const before = Y.encodeStateVector(doc)
    addNodes(doc, [createSlider()])
    return updateFrame(id, Y.encodeStateAsUpdate(doc, before))
  },
  'a Yjs client and a clock beyond all numbers that there are': (id) => {
    const encoder = encoding.createEncoder()
    for (const number of [1, 1, 2 ** 52, 2 ** 50, 0, 1, 0]) encoding.writeVarUint(encoder, number)
    return updateFrame(id, encoding.toUint8Array(encoder))
  },
  'a value that does not exist': (id) =>
    updateFrame(
      id,
      updateOf((doc) => {
        const value = { branches: [], $blob: 'ab'.repeat(32), bytes: 5 }
        const slider = createSlider()
        addNodes(doc, [{ ...slider, values: { [Object.keys(slider.values)[0]!]: value as never } }])
      }),
    ),
  'an update that is too large': (id) => updateFrame(id, new Uint8Array(LIVE_LIMITS.updateBytes + 1)),
}

test('[LIV-4] given each kind of hostile message, when it arrives, then the socket of its sender is closed with a sentence, others do not notice, and nothing of it is in the log', async (t) => {
  const { address, database, fixtures, team, person, open, get } = await startLiveServer(t)
  const id = await fixtures.document(team, { content: sliderContent(2) })
  const { cookie } = await person('ann')
  const honest = await open(id, (await person('bob')).cookie)
  for (const [what, make] of Object.entries(HOSTILE)) {
    const raw = await connectRaw(t, address, cookie)
    await raw.open(id)
    raw.send(make(id))
    const { code, reason } = await raw.closed
    assert.equal(code, LIVE_CLOSE.refused, what)
    assert.match(reason, /^[A-Z].*\.$/, what)
  }
  assert.equal(await countChanges(database), 0)
  const node = addSlider(honest)
  await honest.durable()
  assert.ok(node in (await get(`/documents/${id}`)).json.document.nodes)
  assert.equal(honest.status, 'open')
})

test('[LIV-16] given edits that arrive before the reply with those they depend on, when it arrives, then all are stored and acknowledged; if some are still missing, then rejected', async (t) => {
  const { address, database, fixtures, team, person, get } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const { cookie } = await person('ann')
  const doc = new Y.Doc()
  const make = () => {
    const before = Y.encodeStateVector(doc)
    const slider = createSlider()
    addNodes(doc, [slider])
    return { node: slider.instanceId, update: Y.encodeStateAsUpdate(doc, before) }
  }
  const [lost, ...early] = [make(), make(), make()]
  const raw = await connectRaw(t, address, cookie)
  await raw.open(id)
  raw.send(requestFrame(id, new Uint8Array([0])))
  for (const { update } of early) raw.send(updateFrame(id, update))
  await untilStatuses(raw, [0, 0])
  assert.equal(await countChanges(database), 0)
  raw.send(responseFrame(id, Y.encodeStateAsUpdate(doc)))
  await untilStatuses(raw, [0, 0, 1, 1, 1])
  const { nodes } = (await get(`/documents/${id}`)).json.document
  for (const { node } of [lost!, ...early]) assert.ok(node in nodes)

  raw.send(requestFrame(id, new Uint8Array([0])))
  make()
  raw.send(updateFrame(id, make().update))
  raw.send(responseFrame(id, new Uint8Array([0, 0])))
  assert.equal((await raw.closed).code, LIVE_CLOSE.refused)
})

test('[LIV-16] given more edits before the reply than are buffered, then they are rejected', async (t) => {
  const { address, fixtures, team, person } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const doc = new Y.Doc()
  addNodes(doc, [createSlider()])
  const before = Y.encodeStateVector(doc)
  for (let count = 0; count < 100; count++) addNodes(doc, [createSlider()])
  const update = Y.encodeStateAsUpdate(doc, before)
  const raw = await connectRaw(t, address, (await person('ann')).cookie)
  await raw.open(id)
  raw.send(requestFrame(id, new Uint8Array([0])))
  for (let sent = 0; sent < 2 ** 20; sent += update.length) raw.send(updateFrame(id, update))
  assert.equal((await raw.closed).code, LIVE_CLOSE.refused)
})

test('[LIV-4] given a message above the maximum size, when it arrives, then the socket is closed', async (t) => {
  const { address, fixtures, team, person } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const raw = await connectRaw(t, address, (await person('ann')).cookie)
  await raw.open(id)
  raw.send(updateFrame(id, new Uint8Array(9 * 2 ** 20)))
  // 1009: the code of the WebSocket protocol for it.
  assert.equal((await raw.closed).code, 1009)
})

test('[LIV-4] given messages before authentication, or far too many, then the socket is closed', async (t) => {
  const { address, fixtures, team, person, database } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const { cookie } = await person('ann')
  const early = await connectRaw(t, address, cookie)
  early.send(
    updateFrame(
      id,
      updateOf((doc) => addNodes(doc, [createSlider()])),
    ),
  )
  const busy = await connectRaw(t, address, cookie)
  await busy.open(id)
  for (let count = 0; count < 300; count++) busy.send(requestFrame(id, new Uint8Array([0])))
  assert.equal((await busy.closed).code, LIVE_CLOSE.refused)
  assert.equal(await countChanges(database), 0)
})

test('[LIV-15] given a node with a large value, when it is copied to another document of the team, then it is complete there; to one of another team, then it is rejected', async (t) => {
  const { fixtures, team, person, open, get, database } = await startLiveServer(t)
  const text = 'large '.repeat(LIVE_LIMITS.inlineBytes)
  const panel = createNode('59e0b89a-e487-49f8-bab8-b5bab16be14c', { position: { x: 0, y: 0 } })
  const nodes = { [panel.instanceId]: { ...panel, state: { ...panel.state, text } } }
  const configuration = { inputs: [], outputs: [] }
  const other = await fixtures.team('Other')
  const from = await fixtures.document(team, { content: { nodes, groups: [], configuration } })
  const [own, foreign] = [await fixtures.document(team, { name: 'Own' }), await fixtures.document(other)]
  const { id, cookie } = await person('ann')
  await changeTeam(database, other.key, (change) => setMember(change, id, 'member'))
  const copied = (await open(from, cookie)).read().nodes[panel.instanceId]!
  assert.ok(JSON.stringify(copied).includes('$blob'))

  const here = await open(own, cookie)
  here.edit((doc) => addNodes(doc, [copied]))
  await here.durable()
  assert.equal((await get(`/documents/${own}`)).json.document.nodes[panel.instanceId].state.text, text)
  const there = await open(foreign, cookie)
  there.edit((doc) => addNodes(doc, [copied]))
  await assert.rejects(there.durable(), {
    fault: 'refused',
    message: 'This edit refers to a value that is not here.',
  })
})

test("[LIV-5] given an edit under another user's client id, when it arrives, then it is rejected, in another process and after a restart too", async (t) => {
  const { address, fixtures, team, person, open, startAnother } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const victim = await open(id, (await person('ann')).cookie)
  addSlider(victim)
  await victim.durable()
  const forged = updateOf((doc) => {
    for (let count = 0; count < 9; count++) addNodes(doc, [createSlider()])
  }, victim.doc.clientID)
  const { cookie } = await person('eve')
  const other = await startAnother()
  for (const serverAddress of [address, other.address]) {
    const raw = await connectRaw(t, serverAddress, cookie)
    await raw.open(id)
    raw.send(updateFrame(id, forged))
    assert.equal((await raw.closed).code, LIVE_CLOSE.refused)
  }
  const node = addSlider(victim)
  await victim.durable()
  const reader = await open(id, cookie)
  await untilRead(reader, () => node in reader.read().nodes)
})

test('[LIV-4] given an edit that the server rejects, then the client gets the reason, drops its copy, and continues with the stored document', async (t) => {
  const { fixtures, team, person, open } = await startLiveServer(t)
  const id = await fixtures.document(team, { content: sliderContent(1) })
  const live = await open(id, (await person('ann')).cookie)
  const [node] = Object.keys(live.read().nodes)
  const reset = nextEvent(live, 'reset')
  // Without the operations, which would not allow it.
  live.edit((doc) => doc.getMap('nodes').set('x', 'no node'))
  const lost = live.durable()
  await assert.rejects(lost, (error) => error instanceof LiveError && error.fault === 'refused')
  const { fault, message } = await reset
  assert.deepEqual([fault, /^This edit/.test(message)], ['refused', true])
  assert.equal(live.status, 'open')
  live.edit((doc) => renameNode(doc, node!, 'Still here'))
  await live.durable()
  assert.equal(live.read().nodes[node!]?.nickName, 'Still here')
})

test('[LIV-14] given presences, then each is passed on under the name of the signed-in person, in its known form, once, and is removed with its socket', async (t) => {
  const { address, fixtures, team, person, open } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const ann = await person('ann')
  const [live, other] = [await open(id, ann.cookie), await open(id, (await person('bob')).cookie)]
  const seen = nextEvent(other, 'people', (people) => people.some(({ cursor }) => cursor?.x === 3))
  const restored = { versionAt: '2026-03-01T12:30:00.000Z', at: '2026-03-02T10:00:00.000Z' }
  live.show({ cursor: { x: 3, y: 4 }, selection: ['a'], restored })
  const shown = (await seen).find(({ isMe, cursor }) => !isMe && cursor)
  assert.deepEqual(shown, {
    user: { id: ann.id, name: 'ann' },
    cursor: { x: 3, y: 4 },
    selection: ['a'],
    drag: null,
    restored,
    clientId: live.doc.clientID,
    isMe: false,
  })
  assert.equal(other.people.length, 2)

  const { cookie } = await person('eve')
  const raw = await connectRaw(t, address, cookie)
  await raw.open(id)
  const awareness = new Awareness(new Y.Doc())
  const lie = {
    user: { id: ann.id, name: 'ann' },
    cursor: { x: 'a' },
    selection: 5,
    restored: { versionAt: 'never', at: restored.at },
    evil: 'x'.repeat(99),
  }
  awareness.setLocalState(lie)
  const came = nextEvent(other, 'people', (people) => people.some(({ user }) => user?.name === 'eve'))
  raw.send(awarenessFrame(id, encodeAwarenessUpdate(awareness, [awareness.clientID])))
  const eve = (await came).find(({ user }) => user?.name === 'eve')
  assert.deepEqual(
    { ...eve, clientId: 0, user: undefined },
    {
      user: undefined,
      cursor: null,
      selection: [],
      drag: null,
      clientId: 0,
      isMe: false,
    },
  )
  // Under another client's id: it is not passed on.
  const stolen = new Awareness(Object.assign(new Y.Doc(), { clientID: live.doc.clientID }))
  stolen.setLocalState({ cursor: { x: 666, y: 666 } })
  stolen.meta.get(stolen.clientID)!.clock = 1000
  raw.send(awarenessFrame(id, encodeAwarenessUpdate(stolen, [stolen.clientID])))
  awareness.setLocalState({ cursor: { x: 1, y: 1 } })
  const moved = nextEvent(other, 'people', (people) => people.some(({ cursor }) => cursor?.x === 1))
  raw.send(awarenessFrame(id, encodeAwarenessUpdate(awareness, [awareness.clientID])))
  const now = await moved
  assert.ok(!now.some(({ cursor }) => cursor?.x === 666))
  assert.equal(now.length, 3)
  awareness.destroy()
  stolen.destroy()

  const left = nextEvent(other, 'people', (people) => people.length === 2)
  live.close()
  await left
})
