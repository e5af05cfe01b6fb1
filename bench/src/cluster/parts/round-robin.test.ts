import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { until } from '@meadow/server/src/testing/until.ts'
import { sendRequest } from '../../harness/request.ts'
import { startRoundRobin } from './round-robin.ts'

interface TestServer {
  server: Server
  port: number
  isReady: boolean
  asked: number
}

/** A server that answers with its name, and is ready until told otherwise. */
async function startNamed(t: TestContext, name: string, answer?: RequestListener): Promise<TestServer> {
  const state: TestServer = { server: undefined as never, port: 0, isReady: true, asked: 0 }
  state.server = createServer((request, response) => {
    if (request.url === '/readyz') return void response.writeHead(state.isReady ? 200 : 503).end()
    state.asked++
    if (answer) answer(request, response)
    else request.pipe(response.setHeader('x-name', name))
  })
  state.server.on('upgrade', (_request, socket, head) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n${name}`,
    )
    socket.write(head)
    socket.pipe(socket)
  })
  state.server.listen(0, '127.0.0.1')
  await once(state.server, 'listening')
  state.port = (state.server.address() as AddressInfo).port
  t.after(() => {
    state.server.closeAllConnections()
    state.server.close()
  })
  return state
}

test('[CLU-7] given two servers, when requests are sent, then they are answered in turns, with their bodies', async (t) => {
  const servers = [await startNamed(t, 'one'), await startNamed(t, 'two')]
  await using balancer = await startRoundRobin(servers.map(({ port }) => port))
  for (let count = 0; count < 4; count++) {
    const { status, body } = await sendRequest(balancer, { path: '/a', json: `"${count}"` })
    assert.deepEqual([status, body.toString()], [200, `"${count}"`])
  }
  assert.deepEqual(
    servers.map(({ asked }) => asked),
    [2, 2],
  )
})

test('[CLU-7] given a server that vanishes before it answers, when a GET is sent, then the next server answers; a POST is answered with 502', async (t) => {
  const broken = await startNamed(t, 'broken', (request) => request.socket.destroy())
  const whole = await startNamed(t, 'whole')
  await using balancer = await startRoundRobin([broken.port, whole.port])
  const statuses = []
  for (let count = 0; count < 4; count++) statuses.push((await sendRequest(balancer, { path: '/a' })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200])
  const posted = [
    await sendRequest(balancer, { path: '/a', json: '1' }),
    await sendRequest(balancer, { path: '/a', json: '1' }),
  ]
  assert.deepEqual(posted.map(({ status }) => status).sort(), [200, 502])
})

test('[CLU-7] given a server that is not ready, when its state was checked, then it gets no requests until it is ready again', async (t) => {
  const servers = [await startNamed(t, 'one'), await startNamed(t, 'two')]
  await using balancer = await startRoundRobin(servers.map(({ port }) => port))
  const namesOfTwo = async () => {
    const answers = [await sendRequest(balancer, { path: '/a' }), await sendRequest(balancer, { path: '/a' })]
    return answers.map(({ headers }) => headers['x-name']).sort()
  }
  servers[0]!.isReady = false
  await until('the first server gets no requests', async () => (await namesOfTwo())[0] === 'two')
  servers[0]!.isReady = true
  await until('the first server gets requests', async () => (await namesOfTwo())[0] === 'one')
})

test('[CLU-7] given a WebSocket, when the connections are cut, then it ends on both sides', async (t) => {
  const server = await startNamed(t, 'one')
  await using balancer = await startRoundRobin([server.port])
  const socket = connect(balancer.port, balancer.host)
  socket.on('error', () => {})
  socket.write('GET /live HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  let received = ''
  while (!received.endsWith('one')) received += (await once(socket, 'data'))[0]
  socket.write('hello')
  assert.equal(String((await once(socket, 'data'))[0]), 'hello')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  balancer.cut()
  await closed
})
