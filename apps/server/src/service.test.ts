import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startServer } from './testing/start-server.ts'

/** Far more than the buffers of a connection hold, so that the response is under way until it is read. */
const LARGE = 'x'.repeat(40 * 2 ** 20)

test('given a response under way, when the service is stopped, then it is sent to its end and new connections are refused', async (t) => {
  const { address, service, fixtures, team, secret } = await startServer(t)
  const id = await fixtures.document(team, {
    content: { nodes: {}, groups: [], configuration: {}, padding: LARGE },
  })
  const { hostname, port } = new URL(address)
  const writeRequest = (path: string) =>
    `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`

  const slow = connect(Number(port), hostname)
  slow.write(writeRequest(`/documents/${id}`))
  const [first] = (await once(slow, 'data')) as [Buffer]
  slow.pause()
  const length = Number(/content-length: (\d+)/i.exec(first.toString('latin1'))?.[1])
  assert.ok(length > LARGE.length)

  const stopped = service.stop()
  await untilRejected(address)
  let received = first.length - first.indexOf('\r\n\r\n') - 4
  for await (const chunk of slow.resume()) received += chunk.length
  assert.equal(received, length)
  await stopped
})

/** Sends requests on connection after connection, as long as they are accepted: the last moment is not to be known from outside. */
async function untilRejected(address: string): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(`${address}/healthz`)
      assert.deepEqual([response.status, response.headers.get('connection')], [200, 'close'])
      await response.text()
    } catch (error) {
      assert.equal(((error as Error).cause as NodeJS.ErrnoException).code, 'ECONNREFUSED')
      return
    }
  }
}

test('given a request that never ends, when the service is stopped, then it is cut off after the grace', async (t) => {
  const { address, service, fixtures, team, secret } = await startServer(t, {
    MEADOW_STOP_GRACE_SECONDS: '0',
  })
  const id = await fixtures.document(team, {
    content: { nodes: {}, groups: [], configuration: {}, padding: LARGE },
  })
  const { hostname, port } = new URL(address)
  const slow = connect(Number(port), hostname)
  slow.write(`GET /api/v1/documents/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`)
  await once(slow, 'data')
  slow.pause()
  await service.stop()
})

test('given localhost to listen on, then it is one server, which treats every address in the same way', async (t) => {
  const { address, secret } = await startServer(t, { MEADOW_HOST: 'localhost' })
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+$/)
  const response = await fetch(`${address.replace('127.0.0.1', 'localhost')}/%61pi/v1/folders/%zz`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  assert.equal(response.status, 404)
  assert.equal(((await response.json()) as { error: string }).error, 'Could not find that folder.')
})
