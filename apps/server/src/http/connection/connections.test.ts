import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../config.ts'
import { requestRaw } from '../../testing/raw-answers.ts'
import { until } from '../../testing/until.ts'
import { FOR_ANYONE } from '../route-access.ts'
import type { HttpServerOptions } from '../server.ts'
import { startHttpServer } from '../testing/start-http-server.ts'

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
const last = (path: string) => get(path, 'Connection: close\r\n')

/** A server whose page `/held/…` responds when `give` is called, and which notes what it begins and what it has read. */
async function startHeld(t: TestContext, options: HttpServerOptions = {}) {
  // Quotas are tested elsewhere: all of these come from one address.
  const requests = { caller: 100, team: 100, process: 100 }
  const begun: string[] = []
  const sockets: Socket[] = []
  const held = Promise.withResolvers<void>()
  const { app, address } = await startHttpServer(
    t,
    (app) => {
      app.get('/quick/:name', FOR_ANYONE, ({ url }) => {
        begun.push(url)
        return url
      })
      app.get('/held/:name', FOR_ANYONE, async ({ url }) => {
        begun.push(url)
        await held.promise
        return url
      })
      app.server.on('connection', (socket) => sockets.push(socket))
    },
    { ...options, admissionLimits: { ...readConfig({}).admission, requests } },
  )
  t.after(() => held.resolve())
  const open = async () => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  return { app, address, begun, sockets, give: held.resolve, open }
}

test('[HTTP-16] given requests that come one behind the other, then one at a time is worked on, and all are answered in order', async (t) => {
  const { address, begun, give } = await startHeld(t)
  const names = Array.from({ length: 500 }, (_, i) => `/quick/${i}`)
  const responses = requestRaw(
    address,
    get('/held/first') + names.map((name) => get(name)).join('') + last('/held/last'),
  )
  await until('the first request is worked on', async () => begun.length > 0)
  // A second connection is answered meanwhile; by then the others would have begun.
  await (await fetch(`${address}/quick/other`)).text()
  assert.deepEqual(begun, ['/held/first', '/quick/other'])
  give()
  const texts = (await responses).map(({ text }) => text)
  assert.deepEqual(texts, ['/held/first', ...names, '/held/last'])
})

test('[HTTP-16] given far more requests than wait at once, when the first takes its time, then the rest is not even read', async (t) => {
  const { begun, sockets, give, open } = await startHeld(t)
  const socket = await open()
  socket.write(get('/held/first'))
  await until('the first request is worked on', async () => begun.length > 0)
  const count = 100_000
  const rest = Buffer.from(get('/quick/x').repeat(count))
  socket.write(rest)
  let received = 0
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1').split('HTTP/1.1 200 ').length - 1
  })
  await until('something of the rest was read', async () => sockets[0]!.bytesRead > 1000)
  // As much as two reads of the system bring, and no more however long one waits: what was read when the connection was
  // paused, and one read more.
  const { bytesRead } = sockets[0]!
  for (let turn = 0; turn < 1000; turn++) await new Promise(setImmediate)
  assert.ok(sockets[0]!.bytesRead < 3 * 64 * 1024, `${bytesRead} bytes were read`)
  give()
  await until('some thousand are answered', async () => received > 5000)
})

test('[HTTP-16] given more requests waiting behind others than there may be, then the connection with most of them is closed, and no other', async (t) => {
  const { begun, give, open } = await startHeld(t, {
    connectionLimits: { connections: 100, pipelined: 200 },
  })
  const modest = await open()
  modest.write(get('/held/modest') + get('/quick/modest') + last('/quick/modest-last'))
  await until('it is worked on', async () => begun.length > 0)
  const greedy = await open()
  const closed = once(greedy, 'close')
  greedy.write(get('/held/greedy') + get('/quick/greedy').repeat(300))
  await closed
  give()
  const pieces = await modest.toArray()
  assert.equal(Buffer.concat(pieces).toString().split('HTTP/1.1 200 ').length - 1, 3)
  assert.ok(!begun.includes('/quick/greedy'))
})

test('[HTTP-20] given a request for another protocol that is not taken, then its response is the last one, and what follows is not read as a request', async (t) => {
  const { address, begun } = await startHeld(t)
  const upgrade = get('/quick/upgrade', 'Connection: Upgrade\r\nUpgrade: other\r\n')
  const smuggled = `GET /quick/1 HTTP/1.1\r\nHost: x\r\nX-Junk: ${get('/quick/smuggled')}\r\n`
  for (const behind of [smuggled, smuggled.slice(10), '\0\0\0', get('/quick/smuggled').repeat(100)]) {
    const responses = await requestRaw(address, upgrade + behind)
    assert.deepEqual(
      responses.map(({ status, headers, text }) => [status, headers.get('connection'), text]),
      [[200, 'close', '/quick/upgrade']],
    )
  }
  assert.deepEqual([...new Set(begun)], ['/quick/upgrade'])
})

test('[HTTP-19] given as many connections as there may be, when another one comes, then an idle one makes room, and none with a request under way', async (t) => {
  const { address, begun, give, open } = await startHeld(t, {
    connectionLimits: { connections: 10, pipelined: 100 },
  })
  const busy = await Promise.all(Array.from({ length: 8 }, open))
  for (const [i, socket] of busy.entries()) socket.write(last(`/held/${i}`))
  await until('all are worked on', async () => begun.length === busy.length)
  const idle = await Promise.all([open(), open()])
  const closed = Promise.race(idle.map((socket) => once(socket, 'close')))
  assert.deepEqual(
    (await requestRaw(address, last('/quick/eleventh'))).map(({ text }) => text),
    ['/quick/eleventh'],
  )
  await closed
  give()
  for (const socket of busy) assert.match(Buffer.concat(await socket.toArray()).toString(), /200 OK/)
})
