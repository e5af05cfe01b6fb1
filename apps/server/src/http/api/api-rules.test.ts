import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES, type Scope } from '@meadow/contract'
import { revokeToken } from '../../access/team-tokens.ts'
import { createTokenSecret } from '../../access/tokens.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { requestRawOnce } from '../../testing/raw-answers.ts'
import { startServer } from '../../testing/start-server.ts'

const ENDPOINTS = [
  '/team',
  '/folders/root',
  '/documents',
  '/documents/doc_x',
  '/documents/doc_x/solution',
  '/documents/doc_x/export',
]

describe('token and team', () => {
  test('[C5.4, D2] given no token, a malformed header or an unknown token, when anything under the prefix is requested, then 401 with WWW-Authenticate', async (t) => {
    const { request } = await startServer(t)
    for (const path of [
      ...ENDPOINTS.map((path) => `/api/v1${path}`),
      '/api/v1',
      '/api/v1/',
      '/api/v1/nothing',
      '/api/v1/folders/%',
    ]) {
      for (const authorization of [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        'Basic YTpi',
        createTokenSecret(),
        `Bearer ${createTokenSecret()}`,
        'Bearer mdw_x',
        `Bearer a ${createTokenSecret()}`,
      ]) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const response = await request(path, {
            method,
            ...(authorization !== undefined && { headers: { authorization } }),
          })
          assert.equal(response.status, 401, `${method} ${path} with ${authorization}`)
          assert.equal(response.headers.get('www-authenticate'), 'Bearer')
          assert.deepEqual(Object.keys(response.json), ['error'])
          // A token that is sent in another way may be good: the sentence says how to send it.
          const isSentWell = /^Bearer +\S+ *$/.test(authorization ?? '')
          assert.match(response.json.error, isSentWell ? /unknown, expired or revoked/ : /send the header/)
        }
      }
    }
  })

  test('[C5.4, D2] given a token, when it is revoked, then the very next request is rejected with 401', async (t) => {
    const { get, fixtures, team, database } = await startServer(t)
    const { id, secret } = await fixtures.token(team)
    assert.equal((await get('/team', { token: secret })).status, 200)
    assert.equal((await get('/team', { token: secret })).status, 200)
    await changeTeam(database, team.key, (change) => revokeToken(change, id))
    assert.equal((await get('/team', { token: secret })).status, 401)
  })

  test('[D2] given an expired token, then 401', async (t) => {
    const { get, fixtures, team } = await startServer(t)
    const { secret } = await fixtures.token(team, { expiresAt: Date.now() - 1 })
    assert.equal((await get('/team', { token: secret })).status, 401)
  })

  test('[D2] given the scheme in any case, then it is accepted', async (t) => {
    const { request, secret } = await startServer(t)
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const response = await request('/api/v1/team', { headers: { authorization: `${scheme} ${secret}` } })
      assert.equal(response.status, 200)
    }
  })

  test("[C5.5, D3] given a team with a host name, when another team's token arrives there, then 403; elsewhere the token decides", async (t) => {
    const { address, fixtures, secret } = await startServer(t)
    const other = await fixtures.team('Other', 'other.example.org')
    const { secret: others } = await fixtures.token(other)
    const statusAt = async (host: string, token: string) => {
      const request = `GET /api/v1/team HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`
      return (await requestRawOnce(address, `${request}Connection: close\r\n\r\n`)).status
    }
    assert.equal(await statusAt('other.example.org', secret), 403)
    assert.equal(await statusAt('OTHER.example.org:4000', secret), 403)
    assert.equal(await statusAt('other.example.org', others), 200)
    assert.equal(await statusAt('nobody.example.org', secret), 200)
    assert.equal(await statusAt('nobody.example.org', others), 200)
  })

  test("[C5.1, D3] given cached responses, when the same is requested with another team's token, without one, or under the host name of another team, then each gets its own response", async (t) => {
    const { address, fixtures, team, secret } = await startServer(t)
    const other = await fixtures.team('Other', 'other.example.org')
    // Both teams are at the same version then.
    const { secret: others } = await fixtures.token(other)
    const readTeam = async (host: string, token?: string) => {
      const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
      const request = `GET /api/v1/team HTTP/1.1\r\nHost: ${host}\r\n${authorization}Connection: close\r\n\r\n`
      const { status, text } = await requestRawOnce(address, request)
      return status === 200 ? JSON.parse(text).team.name : status
    }
    for (const _ of ['first', 'ready']) {
      assert.equal(await readTeam('meadow.example.org', secret), team.name)
      assert.equal(await readTeam('meadow.example.org', others), other.name)
      assert.equal(await readTeam('meadow.example.org'), 401)
      assert.equal(await readTeam('other.example.org', others), other.name)
      assert.equal(await readTeam('other.example.org', secret), 403)
    }
  })

  test('[D2] given a cached response, when the token expires without any change of the data, then it is not given any more', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const { get, fixtures, team } = await startServer(t)
    const expiresAt = Date.now() + 60_000
    const { secret: token } = await fixtures.token(team, { expiresAt })
    const statusAt = async (now: number) => {
      t.mock.timers.setTime(now)
      return (await get('/team', { token })).status
    }
    for (const _ of ['first', 'ready']) assert.equal(await statusAt(expiresAt - 1), 200)
    assert.equal(await statusAt(expiresAt), 401)
  })
})

describe('order of the checks', () => {
  test('[D1] given a token without the scope, then an unknown route is 404, a wrong method 405, and only then 403', async (t) => {
    const { get, fixtures, team } = await startServer(t)
    const { secret: token } = await fixtures.token(team, { scopes: ['team:read'] })
    assert.equal((await get('/nothing', { token })).status, 404)
    assert.equal((await get('/documents', { token, method: 'POST' })).status, 405)
    assert.equal((await get('/documents', { token })).status, 403)
    assert.equal((await get('/documents/doc_x/export?format=no', { token })).status, 403)
  })

  test('[D1] given wrong parameters for a document that does not exist, then 400 before 404', async (t) => {
    const { get } = await startServer(t)
    assert.equal((await get('/documents/nothing/export')).status, 400)
    assert.equal((await get('/documents/nothing/solution?format=.json')).status, 400)
    assert.equal((await get('/documents/nothing/solution')).status, 404)
  })

  test('[C5.5, D4] given a token with one scope, then exactly the endpoints of that scope respond', async (t) => {
    const { get, fixtures, team } = await startServer(t)
    const id = await fixtures.document(team)
    const scopeOf: Record<string, Scope> = {
      '/team': 'team:read',
      '/folders/root': 'folders:read',
      '/documents': 'documents:read',
      [`/documents/${id}`]: 'documents:read',
      [`/documents/${id}/solution`]: 'solutions:read',
      [`/documents/${id}/export?format=.gh`]: 'exports:read',
    }
    for (const scope of Object.keys(SCOPES) as Scope[]) {
      const { secret: token } = await fixtures.token(team, { scopes: [scope] })
      for (const [path, needed] of Object.entries(scopeOf)) {
        const { status, json } = await get(path, { token })
        assert.equal(status === 403, needed !== scope, `${path} with ${scope}: ${status}`)
        if (status === 403)
          assert.match(json.error, new RegExp(` ${needed},`), 'the sentence names the scope')
        if (status === 403) assert.deepEqual(Object.keys(json), ['error'])
      }
    }
  })
})

describe('routes and methods', () => {
  test('[D6] given any method but GET and HEAD, then 405 with Allow and an error body, and the body is not looked at', async (t) => {
    const { get } = await startServer(t)
    for (const path of ENDPOINTS) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const body = ['POST', 'PUT', 'PATCH'].includes(method)
          ? { body: '{ not json', headers: { 'content-type': 'application/x-odd' } }
          : {}
        const response = await get(path, { method, ...body })
        assert.equal(response.status, 405, `${method} ${path}`)
        assert.equal(response.headers.get('allow'), 'GET, HEAD')
        assert.deepEqual(Object.keys(response.json), ['error'])
      }
    }
  })

  test('[D6] given HEAD, then status and headers of GET without a body', async (t) => {
    const { get, fixtures, team } = await startServer(t)
    const id = await fixtures.document(team)
    for (const path of [
      '/team',
      '/folders/root',
      '/documents',
      `/documents/${id}`,
      '/folders/nothing',
      `/documents/${id}/solution`,
    ]) {
      const whole = await get(path)
      const head = await get(path, { method: 'HEAD' })
      assert.equal(head.status, whole.status)
      assert.equal(head.text, '')
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
        assert.equal(head.headers.get(name), whole.headers.get(name), `${name} of ${path}`)
      }
    }
  })

  test('[C7, D1] given a path that no endpoint has, then 404 with an error body', async (t) => {
    const { get } = await startServer(t)
    for (const path of [
      '',
      '/',
      '/teams',
      '/team/',
      '/Team',
      '/folders',
      '/documents/a/b',
      '/documents/a/solution/x',
      '//team',
      '/..%2fteam',
    ]) {
      const response = await get(path)
      assert.equal(response.status, 404, path)
      assert.deepEqual(Object.keys(response.json), ['error'])
    }
  })
})

describe('parameters', () => {
  test('[D7] given a format or modelerVersion that is repeated or written in another way, then 400; given anything else, no 400', async (t) => {
    const { get, fixtures, team } = await startServer(t)
    const id = await fixtures.document(team)
    const status = async (suffix: string) => (await get(`/documents/${id}/${suffix}`)).status
    for (const query of ['format=JSON', 'format=json&format=json', 'format=bimz&format=json'])
      assert.equal(await status(`solution?${query}`), 400, query)
    for (const query of [
      'includeGeometry=true&includeGeometry=no',
      'modelerVersion=1',
      'x=1&x=2',
      'format=json&%',
    ])
      assert.equal(await status(`solution?${query}`), 409, query)
    for (const query of [
      'format=.GH',
      'format=.3dm&format=.3dm',
      'modelerVersion=7',
      'format=.gh&modelerVersion=',
      'format=.stl&modelerVersion=99',
    ])
      assert.equal(await status(`export?${query}`), 400, query)
    for (const version of ['07', '7.0', '%207', '7%20', '+7', '٧', '7&modelerVersion=7'])
      assert.equal(await status(`export?format=.3dm&modelerVersion=${version}`), 400, version)
    assert.equal(await status('export?modelerVersion=9&format=.3dm'), 409)
  })
})

describe('every response', () => {
  test('[D10] given any response under the prefix, then JSON in UTF-8, cache rules, and a request id', async (t) => {
    const { get, request } = await startServer(t)
    for (const response of [
      await get('/team'),
      await get('/nothing'),
      await get('/team', { method: 'POST' }),
      await request('/api/v1/team'),
    ]) {
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(response.headers.get('cache-control'), 'private, no-cache')
      assert.equal(response.headers.get('vary'), 'Authorization, Accept-Encoding')
      assert.match(response.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/)
    }
  })

  test("[D10] given the caller's own request id, then a valid one is used and another replaced", async (t) => {
    const { get } = await startServer(t)
    const idFor = async (fixtures: string) =>
      (await get('/team', { headers: { 'x-request-id': fixtures } })).headers.get('x-request-id')
    assert.equal(await idFor('build-17.4'), 'build-17.4')
    for (const odd of ['a b', 'x'.repeat(129), '"', '<script>']) assert.notEqual(await idFor(odd), odd)
  })

  test('[D10] given an entity tag that is current, then 304 without a body; after a change, 200 with another', async (t) => {
    const { get, fixtures, team } = await startServer(t)
    await fixtures.document(team, { name: 'One' })
    const first = await get('/folders/root')
    const tag = first.headers.get('etag')!
    assert.match(tag, /^"[^"]+"$/)
    for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get('/folders/root', { headers: { 'if-none-match': condition } })
      assert.equal(again.status, 304, condition)
      assert.equal(again.text, '')
      assert.equal(again.headers.get('etag'), tag)
      assert.equal(again.headers.get('cache-control'), 'private, no-cache')
      assert.equal(again.headers.get('vary'), 'Authorization, Accept-Encoding')
    }
    assert.equal((await get('/folders/root', { headers: { 'if-none-match': '"other"' } })).status, 200)
    await fixtures.document(team, { name: 'Two' })
    const changed = await get('/folders/root', { headers: { 'if-none-match': tag } })
    assert.equal(changed.status, 200)
    assert.equal(changed.json.folder.documents.length, 2)
  })

  test('[D10] given a change elsewhere in the team, then what did not change keeps its entity tag', async (t) => {
    const { get, fixtures, team } = await startServer(t)
    const id = await fixtures.document(team)
    const tag = (await get(`/documents/${id}`)).headers.get('etag')!
    await fixtures.folder(team, 'New')
    assert.equal((await get(`/documents/${id}`, { headers: { 'if-none-match': tag } })).status, 304)
  })

  test('[D10] given encodings that the caller accepts, then the best is used, each with a tag of its own', async (t) => {
    const { get, fixtures, team } = await startServer(t)
    for (let i = 0; i < 30; i++) await fixtures.document(team, { name: `Tower ${i}` })
    const plain = await get('/folders/root', { headers: { 'accept-encoding': 'identity' } })
    assert.equal(plain.headers.get('content-encoding'), null)
    const tags = new Set([plain.headers.get('etag')])
    for (const encoding of ['gzip', 'br', 'zstd']) {
      for (const time of ['first', 'kept']) {
        const response = await get('/folders/root', { headers: { 'accept-encoding': encoding } })
        assert.equal(response.headers.get('content-encoding'), encoding, time)
        assert.deepEqual(response.json, plain.json)
        tags.add(response.headers.get('etag'))
      }
    }
    assert.equal(tags.size, 4)
    assert.equal(
      (await get('/team', { headers: { 'accept-encoding': 'gzip' } })).headers.get('content-encoding'),
      null,
    )
  })
})

describe('outside the prefix', () => {
  test('[C1, C5.6, D12] given an API token, when anything outside the prefix is requested, then 403 with the sentence', async (t) => {
    const { request, secret } = await startServer(t)
    for (const path of [
      '/',
      '/healthz',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/docs',
      '/docs/',
      '/nothing',
      '/api',
      '/api/v1x',
      '/api/v2/team',
      '/API/V1/team',
    ]) {
      const response = await request(path, { token: secret })
      assert.equal(response.status, 403, path)
      assert.deepEqual(response.json, {
        error: 'API tokens work under /api/v1 only; this address refuses them.',
      })
    }
  })

  test('[D12] given no token, then health, metrics, description and reference page respond', async (t) => {
    const { request } = await startServer(t)
    assert.deepEqual((await request('/healthz')).json, { status: 'ok' })
    assert.deepEqual((await request('/readyz')).json, { status: 'ready' })
    assert.match((await request('/metrics')).text, /meadow_http_request_duration_seconds/)
    assert.equal((await request('/openapi.json')).json.openapi, '3.1.0')
    assert.match((await request('/docs/')).text, /<html/)
    assert.equal((await request('/nothing')).status, 404)
  })
})

describe('limits and faults', () => {
  test('[D11] given a rate limit, when a token passes it, then 429 with Retry-After and RateLimit headers; others go on, and a 304 does not count, except for any tag at all', async (t) => {
    const { get, fixtures, team } = await startServer(t, { MEADOW_RATE_LIMIT: '2' })
    const first = await get('/team')
    assert.match(first.headers.get('ratelimit')!, /^"token";r=1;t=(59|60)$/)
    const etag = first.headers.get('etag')!
    for (let count = 0; count < 3; count++) {
      const { status, headers } = await get('/team', { headers: { 'if-none-match': etag } })
      assert.equal(status, 304)
      assert.match(headers.get('ratelimit')!, /;r=1;/)
    }
    const anyTag = await get('/team', { headers: { 'if-none-match': ' * ' } })
    assert.equal(anyTag.status, 304)
    assert.match(anyTag.headers.get('ratelimit')!, /;r=0;/)
    const rejected = await get('/team')
    assert.equal(rejected.status, 429)
    assert.deepEqual(Object.keys(rejected.json), ['error'])
    assert.ok(Number(rejected.headers.get('retry-after')) > 0)
    assert.match(rejected.headers.get('ratelimit')!, /^"token";r=0;t=\d+$/)
    assert.equal(rejected.headers.get('ratelimit-policy'), '"token";q=2;w=60')
    assert.equal((await get('/team', { token: (await fixtures.token(team)).secret })).status, 200)
  })

  test('[C7, D8] given a fault on our side, then 500 with a sentence that reveals nothing of the internals', async (t) => {
    const { get, fixtures, team, database } = await startServer(t)
    const id = await fixtures.document(team)
    await database.transaction((write) =>
      write
        .updateTable('document_snapshot')
        .set({ content: null, blob: 'f'.repeat(64) })
        .execute(),
    )
    const response = await get(`/documents/${id}`)
    assert.equal(response.status, 500)
    assert.deepEqual(response.json, { error: 'Something went wrong on our side.' })
  })
})
