import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createAbortSignal } from './exchange.ts'
import { FOR_ANYONE } from './route-access.ts'
import { startHttpServer } from './testing/start-http-server.ts'

/** A server that responds when its signal aborts, and hands out the signal of each request that arrives. */
async function startWaiting(t: TestContext) {
  let arrive = (_: AbortSignal) => {}
  const { app, address } = await startHttpServer(t, (app) => {
    app.get('/', FOR_ANYONE, async (request, reply) => {
      const hurry = createAbortSignal(app.stopping, { request: request.raw, response: reply.raw })
      arrive(hurry)
      if (!hurry.aborted) await once(hurry, 'abort')
      return 'hurried'
    })
  })
  const arrival = () =>
    new Promise<AbortSignal>((resolve) => {
      arrive = resolve
    })
  return { app, port: Number(new URL(address).port), arrival }
}

test('given a client that goes away, then the code that works for it is notified', async (t) => {
  const { port, arrival } = await startWaiting(t)
  const arrived = arrival()
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  const hurry = await arrived
  assert.equal(hurry.aborted, false)
  socket.destroy()
  await once(hurry, 'abort')
})

test('given a server that stops, then requests under way are notified, and get their response', async (t) => {
  const { app, port, arrival } = await startWaiting(t)
  const arrived = arrival()
  const response = fetch(`http://127.0.0.1:${port}/`)
  const hurry = await arrived
  assert.equal(hurry.aborted, false)
  await app.close()
  assert.equal(hurry.aborted, true)
  assert.equal(await (await response).text(), 'hurried')
})
