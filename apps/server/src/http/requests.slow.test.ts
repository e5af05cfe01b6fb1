import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { describe, test } from 'node:test'
import { numbers } from '../features/solutions/testing/graphs.ts'
import { startSolutions } from '../features/solutions/testing/start-solutions.ts'
import { createCapturedLog } from '../testing/captured-log.ts'
import { requestRaw, requestRawOnce } from '../testing/raw-answers.ts'
import { startServer } from '../testing/start-server.ts'
import { until } from '../testing/until.ts'
import { startHttpServer } from './testing/start-http-server.ts'

const close = 'Connection: close\r\n\r\n'
const errorOf = (text: string): string => {
  const body = JSON.parse(text)
  assert.deepEqual(Object.keys(body), ['error'])
  return body.error
}

test('given a start that takes minutes, when it is done, then the server listens', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const starting = startHttpServer(t, (app) => {
    app.register(async () => {
      begun.resolve()
      await held.promise
    })
  })
  await begun.promise
  t.mock.timers.tick(600_000)
  held.resolve()
  const { address } = await starting
  t.mock.timers.reset()
  assert.equal((await fetch(address)).status, 404)
})

test('[HTTP-4, D2] given two Authorization headers, then 401, whatever they hold; outside the prefix 403', async (t) => {
  const { address, secret } = await startServer(t)
  const good = `Authorization: Bearer ${secret}\r\n`
  const send = (path: string, headers: string) =>
    requestRawOnce(address, `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}${close}`)
  assert.equal((await send('/api/v1/team', good)).status, 200)
  const padding = Array.from({ length: 3000 }, (_, i) => `x${i}: y\r\n`).join('')
  for (const twice of [
    good + good,
    `${good}Authorization: Bearer x\r\n`,
    `Authorization: Bearer x\r\n${good}`,
    `${good}authorization:\r\n`,
    `Authorization: Basic YTpi\r\n${good}`,
    `${good}${padding}${good}`,
  ]) {
    const response = await send('/api/v1/team', twice)
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    errorOf(response.text)
    assert.equal((await send('/healthz', twice)).status, 403)
  }
  assert.equal((await send('/api/v1/team', padding + good)).status, 200)
})

describe('bodies', () => {
  const BODIES = ['', '{ no', '{"__proto__":{"a":1}}', `"${'x'.repeat(2 ** 21)}"`]
  const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'x/y; charset=\u00ff', ';;']

  test('[HTTP-5, D1] given a body of any kind, then 401, 404, 405 and their order are what they are without one', async (t) => {
    const { log, lines } = createCapturedLog()
    const { get, request } = await startServer(t, {}, log)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const body of BODIES) {
        // Nothing reads the type of a method's body in another way.
        for (const type of method === 'POST' ? TYPES : TYPES.slice(0, 1)) {
          const init = { method, body, headers: { 'content-type': type } }
          const statusOf = async (path: string, { token = true } = {}) =>
            (await (token ? get(path, init) : request(`/api/v1${path}`, init))).status
          assert.equal(await statusOf('/nothing', { token: false }), 401)
          assert.equal(await statusOf('/nothing'), 404)
          assert.equal(await statusOf(''), 404)
          assert.equal(await statusOf('/'), 404)
          assert.equal(await statusOf('/team/'), 404)
          assert.equal(await statusOf('/team'), 405)
          assert.equal((await request('/nothing', init)).status, 404)
          const page = await request('/healthz', init)
          assert.equal(page.status, 405)
          assert.equal(page.headers.get('allow'), 'GET, HEAD')
        }
      }
    }
    assert.deepEqual(new Set(lines.map(({ level }) => level)), new Set(['info']))
  })

  test('[HTTP-5] given GET with a body, then it is answered as without', async (t) => {
    const { address, secret } = await startServer(t)
    for (const body of BODIES) {
      const head = `GET /api/v1/team HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n`
      const sized = `${head}Content-Length: ${body.length}\r\n${close}${body}`
      assert.equal((await requestRawOnce(address, sized)).status, 200)
      const chunks = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`
      const chunked = `${head}Transfer-Encoding: chunked\r\n${close}${chunks}0\r\n\r\n`
      assert.equal((await requestRawOnce(address, chunked)).status, 200)
    }
  })
})

describe('methods and expectations', () => {
  test('[HTTP-6, D6] given an unknown method, then 405 with Allow; given a word that is no request, then 400', async (t) => {
    const { address, secret } = await startServer(t)
    for (const method of ['FOO', 'get', 'GETT', 'M-FOO', 'BREW']) {
      const response = await requestRawOnce(
        address,
        `${method} /api/v1/team HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`,
      )
      assert.equal(response.status, 405, method)
      assert.equal(response.headers.get('allow'), 'GET, HEAD')
      errorOf(response.text)
    }
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      'FOO /x\r\n\r\n',
      '\0\0\0\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ]) {
      assert.equal((await requestRawOnce(address, bytes)).status, 400, bytes)
    }
  })

  test('[HTTP-6] given an unknown method behind a request, then the request is answered, and then 405', async (t) => {
    const { address } = await startServer(t)
    const responses = await requestRaw(
      address,
      'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nFOO /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    )
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 405],
    )
  })

  test('[HTTP-6, D12] given CONNECT, then 405 with Allow, and 403 with a token', async (t) => {
    const { address, secret } = await startServer(t)
    const connect = 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\nX-Request-Id: mine\r\n'
    const response = await requestRawOnce(address, `${connect}\r\n`)
    assert.equal(response.status, 405)
    assert.equal(response.headers.get('allow'), 'GET, HEAD')
    assert.equal(response.headers.get('x-request-id'), 'mine')
    errorOf(response.text)
    const rejected = await requestRawOnce(address, `${connect}Authorization: Bearer ${secret}\r\n\r\n`)
    assert.equal(rejected.status, 403)
    errorOf(rejected.text)
  })

  test('[HTTP-6] given an unknown expectation, then it is passed over', async (t) => {
    const { address, secret } = await startServer(t)
    for (const path of ['/team', '/nothing']) {
      const send = (headers: string) =>
        requestRawOnce(
          address,
          `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n${headers}Expect: 200-ok\r\n${close}`,
        )
      assert.equal((await send('')).status, 401)
      assert.equal((await send(`Authorization: Bearer ${secret}\r\n`)).status, path === '/team' ? 200 : 404)
    }
  })
})

test('[HTTP-30] given a client that leaves before it has the response, then its request is in the log and in /metrics with the status 499', async (t) => {
  const { log, lines } = createCapturedLog()
  const { document, run, get, request } = await startSolutions(t, { log })
  const id = await document(numbers())
  await run(id)
  const leaving = new AbortController()
  const headers = { prefer: 'wait=30' }
  const response = get(`/documents/${id}/solution`, { headers, signal: leaving.signal })
  const readMetrics = async () => (await request('/metrics')).text
  await until('it waits', async () =>
    (await readMetrics()).includes('meadow_limited_in_use{resource="waits"} 1'),
  )
  leaving.abort()
  await assert.rejects(response)
  const route = '/api/v1/documents/:documentId/solution'
  await until('it is logged', async () =>
    lines.some((line) => line.route === route && line.status === 499 && line.team !== undefined),
  )
  assert.ok((await readMetrics()).includes(`_count{route="${route}",status="499"} 1`))
})

test('[HTTP-45] given a trusted proxy, when requests are answered, then the lines of the log have the client’s address and the token', async (t) => {
  const { log, lines } = createCapturedLog()
  const env = { MEADOW_TRUSTED_PROXIES: '127.0.0.1' }
  const { address, secret, fixtures, team } = await startServer(t, env, log)
  const { id: narrow, secret: narrowSecret } = await fixtures.token(team, { scopes: ['team:read'] })
  const ask = (id: string, client: string, { path = '/api/v1/team', token = '' } = {}) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nX-Forwarded-For: 6.6.6.6, ${client}\r\n${token && `Authorization: Bearer ${token}\r\n`}`
  /** On one connection, and the next only when the one before was answered, so that bytes can be recognised. */
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const sendOn = (id: string, client: string, token: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = { 'x-request-id': id, 'x-forwarded-for': client, authorization: `Bearer ${token}` }
      get(`${address}/api/v1/team`, { agent, headers }, (response) =>
        response.on('end', resolve).resume(),
      ).on('error', reject)
    })
  await sendOn('repeated', '203.0.113.7', narrowSecret)
  await sendOn('repeated', '203.0.113.7', narrowSecret)
  await sendOn('repeated', '203.0.113.7', narrowSecret)
  await sendOn('other', '2001:db8::7', secret)
  await requestRawOnce(address, `${ask('nobody', '203.0.113.8')}${close}`)
  await requestRawOnce(address, `${ask('page', '203.0.113.9', { path: '/healthz' })}${close}`)
  await requestRawOnce(
    address,
    `${ask('scope', '203.0.113.10', { path: '/api/v1/folders/root', token: narrowSecret })}${close}`,
  )
  await requestRawOnce(address, 'NONSENSE\r\n\r\n')
  const linesOf = (id: string) => lines.filter(({ requestId }) => requestId === id)
  const addressesOf = (id: string) => linesOf(id).map((line) => line.address)
  await until('all are logged', async () => lines.filter(({ msg }) => msg === 'request').length === 8)
  assert.deepEqual(addressesOf('repeated'), Array(3).fill('203.0.113.7'))
  assert.deepEqual(new Set(linesOf('repeated').map(({ token }) => token)), new Set([narrow]))
  assert.deepEqual(addressesOf('other'), ['2001:db8::7'])
  assert.deepEqual(addressesOf('nobody'), ['203.0.113.8'])
  assert.deepEqual(addressesOf('page'), ['203.0.113.9'])
  assert.deepEqual(addressesOf('scope'), ['203.0.113.10'])
  assert.equal(linesOf('scope')[0]?.token, narrow)
  assert.equal(lines.find(({ refusal }) => refusal === 'request_not_readable')?.address, '127.0.0.1')
})
