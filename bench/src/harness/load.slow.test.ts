import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { load } from './load.ts'
import { requestBytes, sendRequest } from './request.ts'

async function serve(t: TestContext, listener: RequestListener): Promise<{ host: string; port: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

test('given a server, when it is loaded, then every request is counted once, with its status and size', async (t) => {
  const seen: Record<string, number> = {}
  const sizes: Record<string, number> = { '/small': 10, '/large': 3_000_000, '/empty': 0 }
  const where = await serve(t, (request, response) => {
    seen[request.url!] = (seen[request.url!] ?? 0) + 1
    response.end(Buffer.alloc(sizes[request.url!]!, 'x'))
  })
  const paths = Object.keys(sizes)
  const requests = paths.map((path) => requestBytes({ path }))

  const { responses, perSecond } = await load({ ...where, requests }, { connections: 4, durationMs: 100 })

  for (const [index, path] of paths.entries()) {
    const answered = responses.filter((answer) => answer.request === index)
    assert.ok(answered.length > 0)
    assert.equal(answered.length, seen[path])
    assert.ok(answered.every(({ status, bodyBytes }) => status === 200 && bodyBytes === sizes[path]))
  }
  assert.ok(perSecond > 0 && responses.every(({ latencyMs }) => latencyMs > 0))
})

test('given responses without a body and in chunks, when they are loaded, then each is counted with its size', async (t) => {
  const where = await serve(t, (request, response) => {
    if (request.headers['if-none-match']) response.writeHead(304, { etag: '"a"' }).end()
    else {
      response.write('one')
      setImmediate(() => response.end('two'))
    }
  })
  const requests = [
    requestBytes({ path: '/', headers: { 'if-none-match': '"a"' } }),
    requestBytes({ path: '/' }),
  ]

  const { responses } = await load({ ...where, requests }, { connections: 2, durationMs: 50 })

  assert.ok(responses.length > 2)
  for (const { request, status, bodyBytes } of responses) {
    assert.equal(status, request === 0 ? 304 : 200)
    // Two chunks of three bytes, each with its size and line ends, and the last one.
    assert.equal(bodyBytes, request === 0 ? 0 : 2 * (3 + 3 + 2) + 5)
  }
})

test('given response heads that arrive byte by byte, when they are loaded, then the responses are complete', async (t) => {
  const answer = 'HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\nX: y\r\n\r\nhello'
  const server = createTcpServer((socket) => {
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('data', async () => {
      for (const byte of answer) {
        await new Promise((resolve) => socket.write(byte, resolve))
      }
    })
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const { responses } = await load(
    { host: '127.0.0.1', port, requests: [requestBytes({ path: '/' })] },
    { connections: 1, durationMs: 20 },
  )

  assert.ok(responses.length > 0)
  assert.ok(responses.every(({ status, bodyBytes }) => status === 404 && bodyBytes === 5))
})

test('given a server that closes the connection or sends too much, when it is loaded, then the round fails', async (t) => {
  const hangsUp = await serve(t, (_request, response) => response.destroy())
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello'))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const options = { connections: 1, durationMs: 1000 }
  const requests = [requestBytes({ path: '/' })]

  await assert.rejects(load({ ...hangsUp, requests }, options))
  await assert.rejects(load({ host: '127.0.0.1', port, requests }, options), /More bytes/)
})

test('given a number of requests, when it is reached, then no more are sent', async (t) => {
  let seen = 0
  const where = await serve(t, (_request, response) => {
    seen++
    response.end()
  })
  const requests = [requestBytes({ path: '/' })]
  const { responses } = await load(
    { ...where, requests },
    { connections: 3, durationMs: 10_000, maxRequests: 7 },
  )
  assert.equal(responses.length, 7)
  assert.equal(seen, 7)
})

test('given a request with a body, when it is sent by the load generator and by the Node client, then the server receives the same', async (t) => {
  const seen: string[] = []
  const where = await serve(t, async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const { 'x-a': a, 'content-type': type } = request.headers
    seen.push([request.method, request.url, a, type, body].join(' '))
    response.end('done')
  })
  const request = { path: '/graphql', headers: { 'x-a': 'b' }, json: '{"query":"ä"}' }
  const { responses } = await load(
    { ...where, requests: [requestBytes(request)] },
    { connections: 1, durationMs: 1000, maxRequests: 1 },
  )
  const { status, body } = await sendRequest(where, request)
  assert.equal(responses.length, 1)
  assert.equal(`${status} ${body}`, '200 done')
  assert.deepEqual(seen, Array(2).fill('POST /graphql b application/json {"query":"ä"}'))
})
