import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { API_ERRORS } from '@meadow/contract'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { requestRaw, requestRawOnce } from '../../testing/raw-answers.ts'
import { startServer } from '../../testing/start-server.ts'
import { FOR_ANYONE } from '../route-access.ts'
import { startHttpServer } from '../testing/start-http-server.ts'

const UNREADABLE: [name: string, bytes: string, status: number][] = [
  ['no HTTP', 'NONSENSE\r\n\r\n', 400],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['HTTP/0.9', 'GET /\r\n\r\n', 400],
  ['NUL in the address', 'GET /api/v1/folders/\0 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['letters that are not encoded', 'GET /api/v1/documents?q=\xc3\xa4 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', 400],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\n X: y\r\n\r\n', 400],
  ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n', 400],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
  ],
  ['a length below nothing', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
  ['too much', `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ['too many', `GET / HTTP/1.1\r\nHost: x\r\n${'aa: bb\r\n'.repeat(20_000)}\r\n`, 431],
]

test('[HTTP-8, HTTP-7, D9, D10] given bytes that cannot be read as a request, then an error response as every other, with an id that the log has', async (t) => {
  const { log, lines } = createCapturedLog()
  const { address } = await startServer(t, {}, log)
  for (const [name, bytes, status] of UNREADABLE) {
    const received = await requestRawOnce(address, Buffer.from(bytes, 'latin1'))
    assert.equal(received.status, status, name)
    assert.deepEqual(Object.keys(JSON.parse(received.text)), ['error'])
    assert.equal(received.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(received.headers.get('cache-control'), 'private, no-cache')
    assert.equal(received.headers.get('vary'), 'Authorization, Accept-Encoding')
    assert.equal(received.headers.get('connection'), 'close')
    assert.ok(Date.parse(received.headers.get('date')!) > 0)
    const id = received.headers.get('x-request-id')
    assert.match(String(id), /^[0-9a-f-]{36}$/)
    const line = lines.find(({ requestId }) => requestId === id)
    assert.deepEqual([line?.level, line?.status], ['info', status], name)
  }
})

test('[HTTP-8] given an address without its slash, or with characters beyond ASCII, then the sentence says what it must look like', async (t) => {
  const { address } = await startServer(t)
  for (const target of ['api/v1/team', '/api/v1/team\xff']) {
    const { status, text } = await requestRawOnce(
      address,
      Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`, 'latin1'),
    )
    assert.deepEqual([status, JSON.parse(text).error], [400, API_ERRORS.address_not_readable.sentence])
    assert.match(text, /begin with a slash/)
  }
})

test('[HTTP-8] given a client that goes on sending what cannot be read, then it gets one response, and is not reset', async (t) => {
  const { address } = await startServer(t)
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.write('NONSENSE\r\n\r\n')
  const [first] = (await once(socket, 'data')) as [Buffer]
  let more = 0
  socket.on('data', (bytes) => {
    more += bytes.length
  })
  socket.write('x'.repeat(100_000))
  await once(socket, 'end')
  socket.destroy()
  assert.match(first.toString('latin1'), /^HTTP\/1\.1 400 .*"}$/s)
  assert.equal(more, 0)
})

test('[HTTP-7] given a request that does not arrive in time, then 408', async (t) => {
  const { app, address } = await startHttpServer(t, () => {})
  const { hostname, port } = new URL(address)
  const arrival = once(app.server, 'connection') as Promise<[Socket]>
  const socket = connect(Number(port), hostname)
  const [accepted] = await arrival
  // What Node does when it finds such a connection, which it looks for twice a minute.
  app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), accepted)
  let text = ''
  for await (const bytes of socket.setEncoding('latin1')) text += bytes
  assert.match(text, /^HTTP\/1\.1 408 /)
  assert.deepEqual(
    [app.server.requestTimeout, app.server.headersTimeout, app.server.timeout],
    [3_600_000, 60_000, 120_000],
  )
})

describe('behind a request', () => {
  /** A page whose response is held back until another request releases it. */
  const startSlow = (t: Parameters<typeof startHttpServer>[0]) => {
    const begun = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const server = startHttpServer(t, (app) => {
      app.get('/slow', FOR_ANYONE, async () => {
        begun.resolve()
        await released.promise
        return { slow: true }
      })
      app.get('/fast', FOR_ANYONE, () => ({ fast: true }))
      app.post('/echo', FOR_ANYONE, (request) => request.body)
    })
    return { server, begun: begun.promise, give: released.resolve }
  }
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

  test('[HTTP-10] given requests and then garbage, when the first takes its time, then all are answered in order, and then 400', async (t) => {
    const { server, begun, give } = startSlow(t)
    const { address } = await server
    const responses = requestRaw(address, `${get('/slow')}${get('/fast')}${get('/nothing')}GARBAGE\r\n\r\n`)
    await begun
    give()
    assert.deepEqual(
      (await responses).map(({ status, text }) => [status, text.slice(0, 8)]),
      [
        [200, '{"slow":'],
        [200, '{"fast":'],
        [404, '{"error"'],
        [400, '{"error"'],
      ],
    )
  })

  test('[HTTP-10] given a body that turns out to be garbage, then 400 when its request was not answered yet, else no second response', async (t) => {
    const { server } = startSlow(t)
    const { address } = await server
    const post = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const statuses = async (...pieces: string[]) =>
      (await requestRaw(address, ...pieces)).map(({ status }) => status)
    assert.deepEqual(await statuses(`${post('/echo')}xyz\r\n`), [400])
    assert.deepEqual(await statuses(`${get('/fast')}${post('/echo')}xyz\r\n`), [200, 400])
    assert.deepEqual(await statuses(post('/nothing'), 'xyz\r\n'), [404])
    assert.deepEqual(await statuses(post('/nothing'), '1\r\n1\r\n0\r\n\r\nGARBAGE\r\n\r\n'), [404])
    const short = 'POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n'
    assert.deepEqual(await statuses(short, 'xyzGARBAGE\r\n\r\n'), [404, 400])
  })
})

describe('what Fastify rejects', () => {
  test('[HTTP-9] given a file that is not there, or a way out of a folder, then 404 and a sentence', async (t) => {
    const { log, lines } = createCapturedLog('error')
    const { address } = await startServer(t, {}, log)
    for (const [path, headers, status] of [
      // It has no ranges.
      ['/docs', 'Range: bytes=0-3\r\n', 200],
      ['/docs/nothing.css', '', 404],
      ['/docs/../../../package.json', '', 404],
      ['/docs/%2e%2e/%2e%2e/package.json', '', 404],
      ['/docs/..%2f..%2fpackage.json', '', 404],
      ['/docs/..\\..\\package.json', '', 404],
      ['/docs/reference.css', '', 404],
      ['/docs//reference.css', '', 404],
      ['/docs/./reference.css', '', 404],
      ['/docs/%00', '', 404],
      ['/docs/%zz', '', 404],
      [`/docs/${'a'.repeat(5000)}`, '', 404],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`
        const [received] = await requestRaw(address, request)
        assert.equal(received!.status, status, `${request}${received!.text}`)
        if (status >= 400 && method === 'GET') {
          assert.deepEqual(Object.keys(JSON.parse(received!.text)), ['error'])
        }
      }
    }
    assert.deepEqual(lines, [])
  })

  test('[HTTP-9] given a body that an endpoint cannot take, then 400, 413 or 415 with a sentence; given a bug, then 500', async (t) => {
    const { log, lines } = createCapturedLog('error')
    const { address } = await startHttpServer(
      t,
      (app) => {
        app.post('/echo', FOR_ANYONE, (request) => request.body)
        app.post('/bug', FOR_ANYONE, () => {
          throw Object.assign(new Error('from another library'), { statusCode: 404, code: 'ENOENT' })
        })
      },
      { log },
    )
    const post = async (path: string, type: string, body: string) => {
      const response = await fetch(address + path, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      })
      return { status: response.status, json: (await response.json()) as { error: string } }
    }
    for (const [type, body, status] of [
      ['application/json', '{}', 200],
      ['application/json', '{ no', 400],
      ['application/json', '', 400],
      ['application/json', '{"__proto__":1}', 400],
      ['application/json', `"${'x'.repeat(2 ** 21)}"`, 413],
      ['application/x-odd', 'x', 415],
    ] as const) {
      const received = await post('/echo', type, body)
      assert.equal(received.status, status)
      if (status !== 200) assert.match(received.json.error, /^[A-Z].*\.$/)
    }
    assert.deepEqual(lines, [])
    assert.equal((await post('/bug', 'application/json', '{}')).status, 500)
    assert.equal(lines.length, 1)
  })
})
