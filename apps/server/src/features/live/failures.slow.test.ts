import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openLive } from '@meadow/client/live'
import { atEnd } from '../../testing/at-end.ts'
import { until } from '../../testing/until.ts'
import { connectRaw } from './testing/raw-client.ts'
import { addSlider, sliderContent } from './testing/sliders.ts'
import { nextEvent, startLiveServer } from './testing/start-live-server.ts'

/** The database of a server, opened by another program. */
function openBeside(t: TestContext, dataDir: string): DatabaseSync {
  const database = new DatabaseSync(join(dataDir, 'meadow.sqlite'), { timeout: 10_000 })
  atEnd(t, () => database.close())
  return database
}

test('[LIV-6] given a log that cannot be written, when a client edits, then nothing is acknowledged, and the edit is stored once it can be', async (t) => {
  const { fixtures, team, person, open, get, dataDir } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const live = await open(id, (await person('ann')).cookie)
  const beside = openBeside(t, dataDir)
  beside.exec('alter table document_change rename to elsewhere')
  let isDurable = false
  const broken = nextEvent(live, 'status', (status) => status === 'reconnecting')
  const node = addSlider(live)
  const durable = live.durable().then(() => {
    isDurable = true
  })
  await broken
  assert.equal(isDurable, false)
  assert.deepEqual((await get(`/documents/${id}`)).json.document.nodes, {})
  beside.exec('alter table elsewhere rename to document_change')
  await durable
  assert.deepEqual(Object.keys((await get(`/documents/${id}`)).json.document.nodes), [node])
})

test('[LIV-7] given a document that cannot be read, when a client opens it, then nothing is stored in its place, and it opens once it can be read', async (t) => {
  const { address, fixtures, team, person, open, dataDir } = await startLiveServer(t)
  const id = await fixtures.document(team, { content: sliderContent(2) })
  const { cookie } = await person('ann')
  const first = await open(id, cookie)
  const content = first.read()
  addSlider(first)
  await first.durable()
  first.close()
  const beside = openBeside(t, dataDir)
  const findWhole = beside.prepare(
    "select seq, content from document_snapshot where format = 'yjs' and seq = 2",
  )
  const whole = await until('the document is unloaded', async () => findWhole.get())
  beside.prepare("update document_snapshot set content = ? where format = 'yjs'").run(Buffer.from('garbage'))
  await assert.rejects(openLive({ address, documentId: id, cookie, timeoutMs: 1500 }), {
    fault: 'not_reachable',
  })
  const rows = () =>
    beside.prepare("select content from document_snapshot where format = 'yjs'").get()!.content as Uint8Array
  assert.equal(Buffer.from(rows()).toString(), 'garbage')
  beside
    .prepare("update document_snapshot set content = ?, seq = ? where format = 'yjs'")
    .run(whole.content as Uint8Array, whole.seq as number)
  const again = await open(id, cookie)
  assert.equal(Object.keys(again.read().nodes).length, Object.keys(content.nodes).length + 1)
})

test('[LIV-7] given an open document, when the server stops, then its clients reconnect to the next one, and nothing is lost', async (t) => {
  const { fixtures, team, person, open, service, startAnother, address } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const { cookie } = await person('ann')
  const live = await open(id, cookie)
  const before = addSlider(live)
  await live.durable()
  const disconnected = nextEvent(live, 'status', (status) => status === 'reconnecting')
  await service.stop()
  await disconnected
  const meanwhile = addSlider(live)
  const next = await startAnother({ MEADOW_PORT: new URL(address).port })
  assert.equal(next.address, address)
  await live.durable()
  const reader = await open(id, cookie)
  assert.deepEqual(Object.keys(reader.read().nodes).sort(), [before, meanwhile].sort())
})

test('[LIV-7] given offline edits that depend on each other, when the client reconnects, then none is lost', async (t) => {
  const { fixtures, team, person, open, service, startAnother, address, dataDir } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const { cookie } = await person('ann')
  const live = await open(id, cookie)
  const beside = openBeside(t, dataDir)
  const disconnected = nextEvent(live, 'status', (status) => status === 'reconnecting')
  beside.exec('alter table document_change rename to elsewhere')
  // Sent over a connection that breaks, so that the client does not know whether it arrived.
  const made = [addSlider(live)]
  await disconnected
  await service.stop()
  beside.exec('alter table elsewhere rename to document_change')
  let isLost = false
  live.on('reset', () => {
    isLost = true
  })
  // At various moments of reconnecting.
  const stopEditing = new AbortController()
  const editing = (async () => {
    while (!stopEditing.signal.aborted) {
      made.push(addSlider(live))
      await setImmediate()
      await setImmediate()
    }
  })()
  await startAnother({ MEADOW_PORT: new URL(address).port })
  await nextEvent(live, 'status', (status) => status === 'open')
  stopEditing.abort()
  await editing
  await live.durable()
  assert.equal(isLost, false)
  const reader = await open(id, cookie)
  assert.deepEqual(Object.keys(reader.read().nodes).sort(), made.sort())
})

test('[LIV-7] given clients that disconnect while they are being authorized, then their documents are unloaded, and the server can stop', async (t) => {
  const { address, fixtures, team, person, open, service } = await startLiveServer(t)
  const id = await fixtures.document(team, { content: sliderContent(200) })
  const { cookie } = await person('ann')
  for (let count = 0; count < 10; count++) {
    const raw = await connectRaw(t, address, cookie)
    raw.authenticate(id)
    raw.disconnect()
    await raw.closed
  }
  const live = await open(id, cookie)
  live.close()
  const hasty = await connectRaw(t, address, cookie)
  hasty.authenticate(id)
  hasty.disconnect()
  await service.stop()
})
