import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { addNodes, createNode, type LiveDocument, setPanelText } from '@meadow/client/live'
import { LIVE_CLOSE, MAX_PRESENCE_BYTES } from '@meadow/contract'
import { readLiveDocument } from '@meadow/document/live'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { createResourceAccess } from '../../access/resource-access.store.ts'
import { putDocumentIntoBin } from '../../library/bin.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { atEnd } from '../../testing/at-end.ts'
import { authFrame, awarenessFrame, connectRaw, requestFrame, responseFrame } from './testing/raw-client.ts'
import { addSlider } from './testing/sliders.ts'
import { nextEvent, startLiveServer } from './testing/start-live-server.ts'

const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
const EVERYTHING = new Uint8Array([0])
const NOTHING = new Uint8Array([0, 0])

/** Sends presences under one Yjs client. */
function createShower(t: TestContext, documentId: string, client?: number) {
  const doc = new Y.Doc()
  if (client !== undefined) doc.clientID = client
  const awareness = new Awareness(doc)
  atEnd(t, () => awareness.destroy())
  return (state: object) => {
    awareness.setLocalState(state as Record<string, unknown>)
    // A newer clock than that of any other client.
    awareness.meta.get(doc.clientID)!.clock += 1000
    return awarenessFrame(documentId, encodeAwarenessUpdate(awareness, [doc.clientID]))
  }
}

test('[LIV-1] given far more concurrent sockets than one person may have, then no more than the limit are opened, and others can be opened when they close', async (t) => {
  const { address, person } = await startLiveServer(t)
  const { cookie } = await person('ann')
  const sockets = await Promise.all(Array.from({ length: 130 }, () => connectRaw(t, address, cookie)))
  const isOpen = await Promise.all(
    sockets.map(({ closed }) =>
      Promise.race([closed.then(() => false), new Promise((r) => setImmediate(r, true))]),
    ),
  )
  assert.equal(isOpen.filter(Boolean).length, 100)
  const eve = await connectRaw(t, address, (await person('eve')).cookie)
  eve.disconnect()
  for (const { disconnect } of sockets) disconnect()
  await Promise.all(sockets.map(({ closed }) => closed))
  const again = await connectRaw(t, address, cookie)
  again.send('hello')
  assert.equal((await again.closed).code, LIVE_CLOSE.refused)
})

test('[LIV-4] given a person who requests the whole document again and again over many sockets, then their sockets are closed, and no others', async (t) => {
  const { address, fixtures, team, person, open } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const honest = await open(id, (await person('bob')).cookie)
  const { cookie } = await person('ann')
  // Each socket alone is within its limit.
  const sockets = await Promise.all(Array.from({ length: 16 }, () => connectRaw(t, address, cookie)))
  await Promise.all(sockets.map(({ open }) => open(id)))
  for (let count = 0; count < 75; count++) for (const { send } of sockets) send(requestFrame(id, EVERYTHING))
  const { code } = await Promise.race(sockets.map(({ closed }) => closed))
  assert.equal(code, LIVE_CLOSE.refused)
  addSlider(honest)
  await honest.durable()
})

test('[LIV-4] given a low limit of messages, when more are sent over one socket, then it is closed', async (t) => {
  const env = { MEADOW_MAX_LIVE_MESSAGES: 'socket=10' }
  const { address, fixtures, team, person } = await startLiveServer(t, { env })
  const id = await fixtures.document(team)
  const raw = await connectRaw(t, address, (await person('ann')).cookie)
  await raw.open(id)
  // Each counts as fifty messages, of a burst of two hundred.
  for (let count = 0; count < 10; count++) raw.send(requestFrame(id, EVERYTHING))
  assert.equal((await raw.closed).code, LIVE_CLOSE.refused)
})

test('[LIV-4] given a viewer who repeatedly sends sync replies without changes, which the server has to compare with the whole document, then their socket is closed', async (t) => {
  const { address, fixtures, team, person } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const raw = await connectRaw(t, address, (await person('eve', 'viewer')).cookie)
  await raw.open(id)
  for (let count = 0; count < 300; count++) raw.send(responseFrame(id, NOTHING))
  assert.equal((await raw.closed).code, LIVE_CLOSE.refused)
})

test('[LIV-1] given one document under many names over one socket, then it is opened once', async (t) => {
  const { address, fixtures, team, person } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const raw = await connectRaw(t, address, (await person('ann')).cookie)
  await raw.open(id)
  const denied = await raw.open(`${id}\0again`)
  assert.match(Buffer.from(denied).toString(), /Could not find that document/)
})

test('[LIV-1] given more documents than may be open over one socket, when others are closed, then they may be', async (t) => {
  const { address, fixtures, team, person } = await startLiveServer(t)
  const ids = []
  for (let count = 0; count < 33; count++) ids.push(await fixtures.document(team, { name: `Tower ${count}` }))
  const raw = await connectRaw(t, address, (await person('ann')).cookie)
  const responseOf = async (id: string) => Buffer.from(await raw.open(id)).toString()
  for (const id of ids.slice(0, 32)) assert.doesNotMatch(await responseOf(id), /So many/)
  assert.match(await responseOf(ids[32]!), /So many documents/)
  await raw.close(ids[0]!)
  assert.doesNotMatch(await responseOf(ids[32]!), /So many/)
})

test('[LIV-14] given a flood of large presences, then other clients receive the first and the last, and few between', async (t) => {
  const { address, fixtures, team, person, open } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const observer = await open(id, (await person('bob')).cookie)
  const raw = await connectRaw(t, address, (await person('eve')).cookie)
  await raw.open(id)
  let shown = 0
  observer.on('people', () => shown++)
  const last = nextEvent(observer, 'people', (people) => people.some(({ cursor }) => cursor?.x === 200))
  const show = createShower(t, id)
  const selection = [randomBytes(MAX_PRESENCE_BYTES / 4).toString('hex')]
  const [before, startedAt] = [shown, performance.now()]
  for (let x = 1; x <= 200; x++) {
    raw.send(show({ cursor: { x, y: 0 }, selection }))
    // One by one, because messages that arrive together are passed on together in any case.
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  }
  await last
  const most = 3 + (performance.now() - startedAt) / 60
  assert.ok(shown - before <= most, `${shown - before} presences were passed on, and not ${most}`)
})

test('[LIV-14] given a client that has edited nothing, when another one shows a presence under its client id, then it is not passed on', async (t) => {
  const { address, fixtures, team, person, open } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const viewer = await open(id, (await person('bob', 'viewer')).cookie)
  const observer = await open(id, (await person('cyd')).cookie)
  const isThere = ({ people }: LiveDocument) => people.some(({ user }) => user?.name === 'bob')
  if (!isThere(observer)) await nextEvent(observer, 'people', () => isThere(observer))
  const { cookie } = await person('eve')
  const thief = await connectRaw(t, address, cookie)
  await thief.open(id)
  thief.send(createShower(t, id, viewer.doc.clientID)({ cursor: { x: 666, y: 666 } }))
  const honest = await connectRaw(t, address, cookie)
  await honest.open(id)
  const came = nextEvent(observer, 'people', (people) => people.some(({ cursor }) => cursor?.x === 1))
  // The first message has been handled when the later request is answered.
  const responded = thief.next()
  thief.send(requestFrame(id, EVERYTHING))
  await responded
  honest.send(createShower(t, id)({ cursor: { x: 1, y: 1 } }))
  const people = await came
  assert.ok(!people.some(({ cursor }) => cursor?.x === 666))
  assert.ok(isThere(observer))
})

test('[LIV-4] given a client that requests the whole document again and again and reads no response, then few are answered, and others do not notice', async (t) => {
  const { address, fixtures, team, person, open } = await startLiveServer(t)
  const content = new Y.Doc()
  const panels = Array.from({ length: 250 }, () => createNode(PANEL, { position: { x: 0, y: 0 } }))
  addNodes(content, panels)
  for (const { instanceId } of panels) setPanelText(content, instanceId, 'x'.repeat(15_000))
  const id = await fixtures.document(team, { content: JSON.parse(JSON.stringify(readLiveDocument(content))) })
  const observer = await open(id, (await person('bob')).cookie)
  const { cookie } = await person('eve')
  const writes = t.mock.method(Socket.prototype, 'write').mock
  const slow = await connectSlowly(t, address, cookie)
  const came = nextEvent(observer, 'people', (people) => people.some(({ user }) => user?.name === 'eve'))
  slow.enter(id)
  const show = createShower(t, id)
  slow.send(show({ cursor: { x: 1, y: 1 } }))
  await came
  for (let count = 0; count < 40; count++) slow.send(requestFrame(id, EVERYTHING))
  // By now the requests have arrived, and would have been answered.
  const moved = nextEvent(observer, 'people', (people) => people.some(({ cursor }) => cursor?.x === 2))
  slow.send(show({ cursor: { x: 2, y: 2 } }))
  await moved
  addSlider(observer)
  await observer.durable()
  const answers = writes.calls.filter(
    ({ arguments: [bytes] }) => (bytes as Uint8Array).length > 2 ** 20,
  ).length
  assert.ok(answers > 0 && answers < 10, `${answers} of 41 answers were written`)
})

test('[LIV-2, LIV-3] given an open document, when it is moved to the bin, then its sockets are closed, and a concurrent edit is not acknowledged', async (t) => {
  const { fixtures, team, person, open, database } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const ann = await person('ann')
  const live = await open(id, ann.cookie)
  const requester = { user: ann.id, host: 'localhost' }
  const { document } = (await createResourceAccess(database).findDocument(requester, id))!
  const closed = nextEvent(live, 'status', (status) => status === 'closed')
  await changeTeam(database, team.key, (change) => putDocumentIntoBin(change, document, ann.id))
  addSlider(live)
  await assert.rejects(live.durable())
  await closed
  assert.deepEqual(await database.read.selectFrom('document_change').select('seq').execute(), [])
})

/** A client that writes and never reads. */
async function connectSlowly(t: TestContext, address: string, cookie: string) {
  const { port, hostname, host } = new URL(address)
  const socket = connect(Number(port), hostname)
  atEnd(t, () => void socket.destroy())
  socket.on('error', () => {})
  const lines = [
    'GET /live HTTP/1.1',
    `host: ${host}`,
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
    `cookie: ${cookie}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  socket.pause()
  const send = (payload: Uint8Array) => {
    // Masked with zeros, so that the payload is unchanged.
    const isShort = payload.length < 126
    const head = isShort
      ? [0x82, 0x80 | payload.length]
      : [0x82, 0x80 | 126, payload.length >> 8, payload.length & 255]
    socket.write(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]))
  }
  return { send, enter: (documentId: string) => send(authFrame(documentId)) }
}
