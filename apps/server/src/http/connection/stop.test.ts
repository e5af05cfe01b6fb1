import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { requestRaw } from '../../testing/raw-answers.ts'
import { startServer } from '../../testing/start-server.ts'
import { FOR_ANYONE } from '../route-access.ts'
import { startHttpServer } from '../testing/start-http-server.ts'

const CLIENTS = 20

/** The response, read to its end. Rejects when the connection was refused, reset or closed. */
function send(
  address: string,
  agent: Agent | false,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(address, { agent, headers }, (response) => {
      response.on('end', () => resolve(response)).on('error', reject)
      response.resume()
    }).on('error', reject)
  })
}

test('[HTTP-13, HTTP-14] given clients that send request after request on connections of their own, when the server is stopped, then every request is answered, until a response says that it is the last one', async (t) => {
  const { address, service, secret } = await startServer(t, { MEADOW_STOP_NOTICE_SECONDS: '1' })
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  t.after(() => agent.destroy())
  let answered = 0
  const warm = Promise.withResolvers<void>()
  const requestUntilLast = async (path: string) => {
    for (;;) {
      const response = await send(address + path, agent, { authorization: `Bearer ${secret}` })
      assert.equal(response.statusCode, 200)
      if (answered++ === 50 * CLIENTS) warm.resolve()
      if (response.headers.connection === 'close') return
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, i) =>
    requestUntilLast(i % 2 ? '/api/v1/team' : `/api/v1/folders/root?${i}`),
  )
  await Promise.race([warm.promise, Promise.all(clients)])
  const stopped = service.stop()
  const ready = await send(`${address}/readyz`, false)
  assert.equal(ready.statusCode, 503)
  assert.match(String(ready.headers['retry-after']), /^\d+$/)
  assert.equal(ready.headers.connection, 'close')
  assert.equal((await send(`${address}/healthz`, false)).statusCode, 200)
  await Promise.all(clients)
  await stopped
  await assert.rejects(send(`${address}/healthz`, false), { code: 'ECONNREFUSED' })
})

test('[HTTP-14] given clients that come on connection after connection, when the server stops, then they are answered or not accepted, and never reset', async (t) => {
  const { app, address } = await startHttpServer(t, (app) => void app.get('/', FOR_ANYONE, () => 'here'))
  let answered = 0
  const warm = Promise.withResolvers<void>()
  const connectUntilRejected = async () => {
    for (;;) {
      try {
        assert.equal((await send(address, false)).statusCode, 200)
        if (answered++ === 5 * CLIENTS) warm.resolve()
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ECONNREFUSED')
        return
      }
    }
  }
  const clients = Array.from({ length: CLIENTS }, connectUntilRejected)
  await Promise.race([warm.promise, Promise.all(clients)])
  await Promise.all([app.close(), ...clients])
})

test('[HTTP-13] given a response under way, when the server stops, then it says that it is the last one on its connection', async (t) => {
  const begun = Promise.withResolvers<void>()
  const { app, address } = await startHttpServer(t, (app) => {
    app.get('/', FOR_ANYONE, async () => {
      begun.resolve()
      if (!app.stopping.aborted) await once(app.stopping, 'abort')
      return 'given'
    })
  })
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const response = send(address, agent)
  await begun.promise
  const closed = app.close()
  assert.equal((await response).headers.connection, 'close')
  await closed
})

test('[HTTP-14] given connections on which nothing was requested yet, when the server stops, then a request that comes soon is answered, and the others are closed', async (t) => {
  const { app, address } = await startHttpServer(t, (app) => void app.get('/', FOR_ANYONE, () => 'here'))
  const { hostname, port } = new URL(address)
  const silent = connect(Number(port), hostname)
  const idle = connect(Number(port), hostname)
  idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const late = connect(Number(port), hostname)
  await Promise.all([once(silent, 'connect'), once(late, 'connect'), once(idle, 'data')])
  const closed = app.close()
  late.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [bytes] = (await once(late, 'data')) as [Buffer]
  assert.match(bytes.toString('latin1'), /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is)
  await Promise.all([silent, idle, late].map((socket) => once(socket.resume(), 'close')))
  await closed
})

test('[HTTP-15] given a notice longer than the grace, when the server is stopped, then it has stopped after the grace', async (t) => {
  const { address, service } = await startServer(t, {
    MEADOW_STOP_NOTICE_SECONDS: '3600',
    MEADOW_STOP_GRACE_SECONDS: '0',
  })
  const { hostname, port } = new URL(address)
  const half = connect(Number(port), hostname)
  half.write('GET / HTTP/1.1\r\n')
  await once(half, 'connect')
  // Closed or reset, all the same.
  const closed = new Promise((resolve) => half.on('error', () => {}).on('close', resolve))
  await Promise.all([service.stop(), closed])
})

test('[HTTP-14] given a request and then garbage, when the server stops meanwhile, then both are answered', async (t) => {
  const begun = Promise.withResolvers<void>()
  const { app, address } = await startHttpServer(t, (app) => {
    app.get('/', FOR_ANYONE, async () => {
      begun.resolve()
      if (!app.stopping.aborted) await once(app.stopping, 'abort')
      return 'given'
    })
  })
  const responses = requestRaw(address, 'GET / HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n')
  await begun.promise
  const closed = app.close()
  assert.equal((await responses)[0]!.text, 'given')
  await closed
})
