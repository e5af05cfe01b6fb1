import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createCapturedLog } from '../testing/captured-log.ts'
import { until } from '../testing/until.ts'
import { FOR_ANYONE } from './route-access.ts'
import { startHttpServer } from './testing/start-http-server.ts'

/** A server that responds when its signal aborts, and hands out the signal of each request that arrives. */
async function startWaiting(t: TestContext) {
  let arrive = (_: AbortSignal) => {}
  const { log, lines } = createCapturedLog()
  const mount = (app: FastifyInstance) => {
    app.get('/', FOR_ANYONE, async ({ call }) => {
      const hurry = call.signal
      arrive(hurry)
      if (!hurry.aborted) await once(hurry, 'abort')
      return 'hurried'
    })
  }
  const { app, address } = await startHttpServer(t, mount, { log })
  const arrival = () =>
    new Promise<AbortSignal>((resolve) => {
      arrive = resolve
    })
  return { app, port: Number(new URL(address).port), lines, arrival }
}

test('[HTTP-30] given a client that goes away, then the code that works for it is notified, and the log has the status 499', async (t) => {
  const { port, lines, arrival } = await startWaiting(t)
  const arrived = arrival()
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  const hurry = await arrived
  assert.equal(hurry.aborted, false)
  socket.destroy()
  await once(hurry, 'abort')
  await until('it is logged', async () => lines.some(({ route, status }) => route === '/' && status === 499))
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

test('[HTTP-47] given a request that waits too long for other work, then 503 with a delay, and the work goes on', async (t) => {
  const work = Promise.withResolvers<string>()
  let runs = 0
  const mount = (app: FastifyInstance) => {
    app.get('/', FOR_ANYONE, async ({ call }) => {
      runs++
      return call.quota.waitFor(() => work.promise)
    })
  }
  const { address } = await startHttpServer(t, mount, { maxWorkMs: 50 })
  const late = await fetch(address)
  assert.deepEqual([late.status, late.headers.get('retry-after')], [503, '5'])
  assert.match(await late.text(), /too much to do/)
  work.resolve('made')
  assert.equal(await (await fetch(address)).text(), 'made')
  assert.equal(runs, 2)
})

test('[HTTP-47] given a request that waits twice, when the first wait took all of its time, then the second gets none', async (t) => {
  const mount = (app: FastifyInstance) => {
    app.get('/', FOR_ANYONE, async ({ call: { quota } }) => {
      await assert.rejects(quota.waitFor(() => once(app.server, 'never')))
      // With a time of its own, this one would end within it.
      return quota.waitFor(() => sleep(25, 'made'))
    })
  }
  const { address } = await startHttpServer(t, mount, { maxWorkMs: 500 })
  assert.equal((await fetch(address)).status, 503)
})
