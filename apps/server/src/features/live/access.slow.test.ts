import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { addNodes, LiveError, openLive } from '@meadow/client/live'
import { LIVE_CLOSE } from '@meadow/contract'
import * as Y from 'yjs'
import { endMembership, setMember } from '../../access/members.ts'
import { createResourceAccess } from '../../access/resource-access.store.ts'
import { putDocumentIntoBin } from '../../library/bin.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { until } from '../../testing/until.ts'
import { connectRaw, updateFrame } from './testing/raw-client.ts'
import { addSlider, createSlider, sliderContent } from './testing/sliders.ts'
import { nextEvent, startLiveServer, untilRead } from './testing/start-live-server.ts'

const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** The response to a handshake with these headers. */
async function shake(address: string, headers: Record<string, string>, path = '/live') {
  const requesting = request(address + path, { headers: { ...HANDSHAKE, ...headers } }).end()
  const responded = await Promise.race([once(requesting, 'response'), once(requesting, 'upgrade')])
  const [response] = responded
  if (responded.length > 1) {
    responded[1].destroy()
    return { status: response.statusCode, body: undefined, headers: response.headers }
  }
  let text = ''
  for await (const chunk of response) text += chunk
  return {
    status: response.statusCode,
    body: text && JSON.parse(text),
    headers: response.headers,
  }
}

test('[LIV-1] given no session, a wrong one, an API token or a page of another site, when a socket is requested, then it is rejected with a sentence', async (t) => {
  const { address, person, secret } = await startLiveServer(t)
  const { cookie } = await person('ann')
  const host = new URL(address).host
  const responses = [
    [await shake(address, {}), 401, 'Sign in first.'],
    [await shake(address, { cookie: `${cookie}x` }), 401, 'Sign in first.'],
    [await shake(address, { cookie, authorization: `Bearer ${secret}` }), 403, /API tokens work under/],
    [await shake(address, { cookie, origin: 'https://evil.example.org' }), 403, /another site/],
    [await shake(address, { cookie, origin: 'null' }), 403, /another site/],
    [await shake(address, { cookie, 'sec-fetch-site': 'cross-site' }), 403, /another site/],
    [await shake(address, { cookie, host: 'a b' }), 400, /Host/],
  ] as const
  for (const [{ status, body, headers }, wanted, sentence] of responses) {
    assert.equal(status, wanted)
    if (typeof sentence === 'string') assert.deepEqual(body, { error: sentence })
    else assert.match(body.error, sentence)
    assert.match(headers['x-request-id'] as string, /./)
  }
  assert.equal((await shake(address, { cookie })).status, 101)
  assert.equal((await shake(address, { cookie, origin: `http://${host}` })).status, 101)
  assert.equal((await shake(address, { cookie, origin: `https://${host}` })).status, 101)
})

test('[LIV-1] given an upgrade at another path, or a request without one, then it is answered like any request', async (t) => {
  const { address, person, secret, request: send } = await startLiveServer(t)
  const { cookie } = await person('ann')
  const elsewhere = await shake(address, { authorization: `Bearer ${secret}` }, '/api/v1/team')
  assert.deepEqual([elsewhere.status, elsewhere.body.team.name], [200, 'Acme'])
  const other = await shake(address, { cookie, upgrade: 'h2c' })
  assert.equal(other.status, 426)
  const plain = await send('/live', { headers: { cookie } })
  assert.deepEqual([plain.status, plain.headers.get('upgrade')], [426, 'websocket'])
  assert.equal((await send('/live')).status, 401)
  assert.equal((await send('/live', { token: secret })).status, 403)
})

test('[LIV-1] given as many sockets as one person, or the process, may have, when one more is requested, then 429 or 503 with Retry-After, until one is closed', async (t) => {
  const { address, person } = await startLiveServer(t, { env: { MEADOW_MAX_SOCKETS: 'caller=1, process=2' } })
  const [ann, bob, cem] = [await person('ann'), await person('bob'), await person('cem')]
  const first = await connectRaw(t, address, ann.cookie)
  const own = await shake(address, { cookie: ann.cookie })
  assert.deepEqual([own.status, own.headers['retry-after']], [429, '5'])
  await connectRaw(t, address, bob.cookie)
  const other = await shake(address, { cookie: cem.cookie })
  assert.deepEqual([other.status, other.headers['retry-after']], [503, '5'])
  assert.match(other.body.error, /too much to do/)
  first.disconnect()
  await first.closed
  await until('there is room', async () => (await shake(address, { cookie: cem.cookie })).status === 101)
})

test('[HTTP-17, LIV-1] given a process at its limit, when sockets are requested, then they wait; beyond the queue 429 for the session and 503 for the process, with Retry-After; and open sockets do not count', async (t) => {
  const env = {
    MEADOW_MAX_REQUESTS: 'process=1',
    MEADOW_MAX_QUEUED: 'caller=1, process=2',
    MEADOW_MAX_QUEUE_SECONDS: '600',
  }
  const { address, database, team, person, request: send, secret } = await startLiveServer(t, { env })
  const [ann, bob, cem] = [await person('ann', 'owner'), await person('bob'), await person('cem')]
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const { transaction } = database
  const hold = t.mock.method(database, 'transaction', async (work: never) => {
    begun.resolve()
    await held.promise
    return transaction(work)
  })
  const busy = send(`/app/v1/teams/${team.id}`, {
    method: 'PATCH',
    headers: { cookie: ann.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Renamed' }),
  })
  await begun.promise

  // A cookie that is not signed by the server causes no query.
  assert.equal((await shake(address, { cookie: `${ann.cookie}x` })).status, 401)
  const ofAnn = [0, 1].map(() => shake(address, { cookie: ann.cookie }))
  const own = await Promise.race(ofAnn)
  const ofOthers = [bob, cem].map(({ cookie }) => shake(address, { cookie }))
  const other = await Promise.race(ofOthers)
  assert.deepEqual([own.status, own.headers['retry-after']], [429, '5'])
  assert.deepEqual([other.status, other.headers['retry-after']], [503, '5'])
  assert.match(own.body.error, /under way/)
  assert.match(other.body.error, /too much to do/)

  held.resolve()
  hold.mock.restore()
  assert.equal((await busy).status, 200)
  const statuses = async (shakes: ReturnType<typeof shake>[]) =>
    (await Promise.all(shakes)).map(({ status }) => status).sort()
  assert.deepEqual(await statuses(ofAnn), [101, 429])
  assert.deepEqual(await statuses(ofOthers), [101, 503])
  await connectRaw(t, address, bob.cookie)
  assert.equal((await send('/api/v1/team', { token: secret })).status, 200)
})

test('[LIV-2] given a document of another team, also a public one, one that does not exist, or one in the bin, then none is found, with the same response', async (t) => {
  const { address, database, fixtures, team, person } = await startLiveServer(t)
  const other = await fixtures.team('Other')
  const ann = await person('ann')
  const { cookie } = ann
  const foreign = await fixtures.document(other)
  const shared = await fixtures.document(other, { visibility: 'public' })
  const binned = await fixtures.document(team)
  const requester = { user: ann.id, host: 'localhost' }
  const { document } = (await createResourceAccess(database).findDocument(requester, binned))!
  await changeTeam(database, team.key, (change) => putDocumentIntoBin(change, document, ann.id))
  const missing = ['doc_0000000000000000', 'root', '__proto__', 'x'.repeat(150)]
  for (const documentId of [foreign, shared, binned, ...missing]) {
    await assert.rejects(openLive({ address, cookie, documentId }), (error) => {
      assert.ok(error instanceof LiveError)
      assert.deepEqual([error.fault, error.message], ['not_found', 'Could not find that document.'])
      return true
    })
  }
})

test('[LIV-2] given a viewer, then they receive the edits of others, and their own are rejected', async (t) => {
  const { address, fixtures, team, person, open, get } = await startLiveServer(t)
  const id = await fixtures.document(team, { content: sliderContent(1) })
  const editor = await open(id, (await person('ann')).cookie)
  const { cookie } = await person('eve', 'viewer')
  const viewer = await open(id, cookie)
  assert.equal(viewer.isViewer, true)
  assert.throws(() => addSlider(viewer), LiveError)

  const raw = await connectRaw(t, address, cookie)
  await raw.open(id)
  const node = addSlider(editor)
  await untilRead(viewer, ({ read }) => node in read.call(viewer).nodes)
  const copy = new Y.Doc()
  addNodes(copy, [createSlider()])
  raw.send(updateFrame(id, Y.encodeStateAsUpdate(copy)))
  assert.deepEqual(await raw.closed, {
    code: LIVE_CLOSE.refused,
    reason: 'Viewers of a team look at its documents, and cannot change them.',
  })
  await editor.durable()
  assert.equal(Object.keys((await get(`/documents/${id}`)).json.document.nodes).length, 2)
})

test('[LIV-2] given a person with an open document, when their role changes, then their client opens it again with the new role', async (t) => {
  const { fixtures, team, person, open, database } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const { id: user, cookie } = await person('ann')
  const live = await open(id, cookie)
  const reset = nextEvent(live, 'reset')
  await changeTeam(database, team.key, (change) => setMember(change, user, 'viewer'))
  await reset
  assert.equal(live.isViewer, true)

  const closed = nextEvent(live, 'status', (status) => status === 'closed')
  await changeTeam(database, team.key, (change) => endMembership(change, user))
  await closed
})

test('[LIV-2] given a person with an open document, when their sessions end, then it is closed', async (t) => {
  const { fixtures, team, person, open, sessions } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const ann = await person('ann')
  const bob = await open(id, (await person('bob')).cookie)
  const live = await open(id, ann.cookie)
  const closed = nextEvent(live, 'status', (status) => status === 'closed')
  await sessions.endSessions(ann.id)
  await closed
  await assert.rejects(open(id, ann.cookie), { fault: 'not_signed_in', message: 'Sign in first.' })
  addSlider(bob)
  await bob.durable()
})
