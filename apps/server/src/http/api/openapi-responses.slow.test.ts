import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { describeContract } from '@meadow/contract/description'
import { describeApi, type Operation } from '@meadow/contract/openapi'
import { numbers } from '../../features/solutions/testing/graphs.ts'
import { startSolutions } from '../../features/solutions/testing/start-solutions.ts'
import { requestRawOnce } from '../../testing/raw-answers.ts'
import { startServer } from '../../testing/start-server.ts'
import { createSecurityHeaders } from '../responses/security-headers.ts'
import { startHttpServer } from '../testing/start-http-server.ts'
import { compileSchemas } from './testing/compile-schemas.ts'

const description = describeApi(describeContract(), undefined)
const assertFits = compileSchemas(description)
const OPERATIONS = Object.values(description.paths)

/** Headers that the description leaves out: those of HTTP itself, and those that are for browsers (HTTP-40). */
const HTTP_HEADERS = new Set([
  ...'connection content-length content-type date keep-alive transfer-encoding'.split(' '),
  ...Object.keys(createSecurityHeaders({ baseUrl: undefined, hsts: 'off' })),
])

interface Received {
  status: number
  headers: Headers
  text: string
}

/** What all responses of a test have shown together. */
class Seen {
  readonly statuses = new Set<number>()
  readonly headers = new Set<string>()

  /** Fails when the response has a status, a header or a body that the operation does not describe, or lacks a header. */
  check(operation: Operation, { status, headers, text }: Received): void {
    const about = `${status} of ${operation.operationId}`
    const described = operation.responses[status]
    assert.ok(described, `${about} is not described`)
    const names = Object.keys(described.headers).map((name) => name.toLowerCase())
    const sent = [...headers.keys()].filter((name) => !HTTP_HEADERS.has(name))
    assert.deepEqual(
      sent.filter((name) => !names.includes(name)),
      [],
      `headers of ${about} that are not described`,
    )
    for (const [name, { required }] of Object.entries(described.headers)) {
      assert.ok(!required || headers.has(name), `${about} lacks ${name}`)
    }
    const body = described.content?.['application/json'].schema
    assert.equal(text !== '', body !== undefined, `body of ${about}`)
    if (body) {
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
      assertFits(body, JSON.parse(text), about)
    }
    this.statuses.add(status)
    for (const name of sent) this.headers.add(name)
  }
}

const operationAt = (path: string) => {
  const found = Object.entries(description.paths).find(([pattern]) =>
    new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0]!),
  )
  assert.ok(found, path)
  return found[1]
}

type Get = Awaited<ReturnType<typeof startServer>>['get']
type Init = Parameters<Get>[1]

/** Sends each request with GET and with HEAD, unless it has a method, and checks the responses. */
const createSend =
  (seen: Seen, get: Get) =>
  async (path: string, status: number, init: Init = {}) => {
    const { get: forGet, head } = operationAt(path)
    const response = await get(path, init)
    assert.equal(response.status, status, `${path}: ${response.text.slice(0, 200)}`)
    seen.check(forGet, response)
    if (init.method === undefined) {
      const withoutBody = await get(path, { ...init, method: 'HEAD' })
      assert.equal(withoutBody.status, status)
      seen.check(head, withoutBody)
    }
    return response
  }

/** The responses of a server that has documents in every state. */
async function requestStates(t: TestContext, seen: Seen): Promise<void> {
  const server = await startSolutions(t, { env: { MEADOW_RATE_LIMIT: '10000' } })
  const { document, queue, solve, fail, get, fixtures, team, service, database } = server
  const send = createSend(seen, get)
  const [never, solved, failed, running, unread] = [
    await document(numbers(), 'Never'),
    await document(numbers(), 'Solved'),
    await document(numbers(), 'Failed'),
    await document(numbers(), 'Running'),
    await document(numbers(), 'Unread'),
  ]
  await solve(unread)
  const solution = await solve(solved)
  assert.ok(solution)
  await fail(failed, 'For a test.')
  await queue(running)

  const gzip = { headers: { 'accept-encoding': 'gzip' } }
  for (let i = 0; i < 20; i++) await document(numbers(), `Document ${i}`)
  const paths = [
    ...['/team', '/folders/root', '/documents', `/documents/${solved}`],
    ...['', '?includeGeometry=true', '?format=bimz'].map((query) => `/documents/${solved}/solution${query}`),
  ]
  for (const path of paths) {
    const { headers } = await send(path, 200, gzip)
    await send(path, 304, { headers: { ...gzip.headers, 'if-none-match': headers.get('etag')! } })
    const again = await send(path, 200)
    await send(path, 304, { headers: { 'if-none-match': again.headers.get('etag')! } })
  }
  for (const format of ['.gh', '.3dm']) await send(`/documents/${solved}/export?format=${format}`, 200)

  await send(`/documents/${running}/solution`, 202)
  await send(`/documents/${running}/solution`, 202, { headers: { prefer: 'wait=1' }, method: 'GET' })
  await send(`/documents/${running}/export?format=.gh`, 202)
  for (const what of ['solution', 'export?format=.gh']) {
    await send(`/documents/${never}/${what}`, 409)
    await send(`/documents/${failed}/${what}`, 502)
    await send(`/documents/nothing/${what}`, 404)
  }
  await send('/documents/nothing', 404)
  await send('/folders/nothing', 404)
  await send('/documents?folderId=nothing', 404)
  await send(`/documents/${solved}/solution?format=.json`, 400)
  await send(`/documents/${solved}/export`, 400)

  const { secret: narrow } = await fixtures.token(team, { scopes: ['team:read'] })
  const { secret: limited } = await fixtures.token(team, { folders: [(await fixtures.folder(team, 'A')).id] })
  await send('/team', 200, { token: limited })
  const { secret: ofPages } = await fixtures.token(team, { origins: ['https://pages.example.org'] })
  await send('/team', 200, { token: ofPages, headers: { origin: 'https://pages.example.org' } })
  await send(`/documents/${solved}`, 404, { token: limited })
  await fixtures.team('Other', 'other.example.org')
  for (const path of paths) {
    await send(path, 401, { token: null })
    await send(path, 405, { method: 'DELETE' })
    if (path !== '/team') await send(path, 403, { token: narrow })
  }
  const { mock } = t.mock.method(service.blobs, 'open', () => {
    throw Object.assign(new Error('For a test.'), { code: 'EROFS' })
  })
  await send(`/documents/${unread}/solution`, 503)
  mock.restore()
  const bare = await fixtures.team('Bare')
  const { secret: token } = await fixtures.token(bare)
  await database.transaction((write) => write.deleteFrom('folder').where('team_id', '=', bare.key).execute())
  for (const path of ['/team', '/folders/root', '/documents?folderId=root']) await send(path, 500, { token })
}

/** Requests that are no valid HTTP, to an endpoint. */
async function requestUnreadable(t: TestContext, seen: Seen): Promise<void> {
  const { address, get } = await startServer(t, { MEADOW_RATE_LIMIT: '1' })
  const { get: operation } = operationAt('/team')
  for (const bytes of [
    'GET /api/v1/team HTTP/1.1\r\n\r\n',
    'GET /api/v1/team HTTP/1.1\r\nHost: a b\r\n\r\n',
    'GET /api/v1/team?q=\xc3\xa4 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /api/v1/team HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n',
    `GET /api/v1/team HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`,
    'CONNECT api/v1/team HTTP/1.1\r\nHost: x\r\n\r\n',
    'UNHEARD /api/v1/team HTTP/1.1\r\nHost: x\r\n\r\n',
  ]) {
    const text = bytes.replace('HTTP/1.1', 'HTTP/1.1\r\nConnection: close')
    seen.check(operation, await requestRawOnce(address, Buffer.from(text, 'latin1')))
  }
  await get('/team')
  await createSend(seen, get)('/team', 429)

  const { app, address: other } = await startHttpServer(t, () => {})
  const arrival = once(app.server, 'connection') as Promise<[Socket]>
  const { hostname, port } = new URL(other)
  const socket = connect(Number(port), hostname)
  const [accepted] = await arrival
  // What Node does when a request does not arrive in time, which it looks for twice a minute.
  app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), accepted)
  const [head = '', text = ''] = (await socket.setEncoding('latin1').toArray()).join('').split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Headers(fields.map((field): [string, string] => field.split(': ') as [string, string]))
  seen.check(operation, { status: Number(line.split(' ')[1]), headers, text })
}

test('[OPENAPI-3] given a real server, when it is driven to each status with GET and HEAD, then each response has the headers and the body that are described, no others, and every described status and header has been seen', async (t) => {
  const seen = new Seen()
  await requestStates(t, seen)
  await requestUnreadable(t, seen)
  const described = OPERATIONS.flatMap(({ get }) => Object.entries(get.responses))
  assert.deepEqual(
    [...new Set(described.map(([status]) => Number(status)))].filter((status) => !seen.statuses.has(status)),
    [],
  )
  const names = described.flatMap(([, { headers }]) => Object.keys(headers).map((name) => name.toLowerCase()))
  assert.deepEqual(
    [...new Set(names)].filter((name) => !seen.headers.has(name)),
    [],
  )
})

test('[OPENAPI-3] given a response with another status, another header, or another body, when it is checked, then the check fails', () => {
  const { get: operation, head } = operationAt('/team')
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'a',
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Accept-Encoding',
    etag: '"a"',
  }
  const response = {
    status: 200,
    headers: new Headers(headers),
    text: '{"team":{"name":"A","rootFolderId":"f"}}',
  }
  const check = (of: Operation, change: Partial<Received>) => () =>
    new Seen().check(of, { ...response, ...change })
  check(operation, {})()
  assert.throws(check(operation, { status: 418 }), /418 of readTeam is not described/)
  assert.throws(check(operation, { headers: new Headers({ ...headers, 'x-new': '1' }) }), /x-new/)
  const { etag: _, ...fewer } = headers
  assert.throws(check(operation, { headers: new Headers(fewer) }), /lacks ETag/)
  assert.throws(check(operation, { text: '{"team":{"name":1,"rootFolderId":"f"}}' }), /name must be string/)
  assert.throws(check(head, {}), /body of 200 of readTeamHead/)
})
