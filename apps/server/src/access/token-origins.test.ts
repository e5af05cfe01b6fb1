import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALL_SCOPES } from '@meadow/contract'
import fc from 'fast-check'
import { changeTeam } from '../team/team-transaction.ts'
import { DATABASES } from '../testing/databases.ts'
import { startServer } from '../testing/start-server.ts'
import { createToken, replaceToken, revokeToken } from './team-tokens.ts'
import { isOrigin, readOrigin } from './token-principal.store.ts'
import { createTokenSecret } from './tokens.ts'

const PAGE = 'https://dashboard.example.org'
const PREFLIGHT = {
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
}

const corsOf = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'))

for (const kind of DATABASES) {
  describe(`tokens and the origins of pages, on ${kind.name}`, kind.options, () => {
    test('[TOK-36] given a token with an origin, then its pages read every response, also repeated ones and errors; other pages, other tokens and other addresses stay closed', async (t) => {
      const { databaseUrl } = { databaseUrl: undefined, ...(await kind.createLocation(t)) }
      const {
        get,
        request,
        team,
        database,
        secret: plain,
      } = await startServer(t, databaseUrl ? { DATABASE_URL: databaseUrl } : {})
      const secret = createTokenSecret()
      const token = await changeTeam(database, team.key, (change) =>
        createToken(change, { name: 'page', secret, scopes: ALL_SCOPES, origins: [PAGE, 'null'] }),
      )
      const read = (path: string, origin: string | undefined, used: string | null = secret, more = {}) =>
        get(path, { token: used, headers: { ...(origin !== undefined && { origin }), ...more } })
      for (const [path, status] of [
        ['/team', 200],
        ['/team', 200],
        ['/folders/nothing', 404],
        ['/nothing', 404],
      ] as const) {
        for (const origin of [PAGE, 'null']) {
          const { status: found, headers } = await read(path, origin)
          assert.equal(found, status)
          assert.equal(headers.get('access-control-allow-origin'), origin, path)
          assert.match(headers.get('access-control-expose-headers')!, /ETag, Retry-After/)
          assert.equal(headers.get('vary'), 'Authorization, Accept-Encoding, Origin')
        }
        for (const [origin, used] of [
          [undefined, secret],
          ['https://dashboard.example.org.evil.example', secret],
          ['http://dashboard.example.org', secret],
          [PAGE, plain],
          [PAGE, null],
        ] as const) {
          const { headers } = await read(path, origin, used)
          assert.deepEqual(corsOf(headers), [], `${path} ${origin}`)
          assert.equal(headers.get('vary'), 'Authorization, Accept-Encoding')
        }
      }
      const etag = (await read('/team', PAGE)).headers.get('etag')!
      const unchanged = await read('/team', PAGE, secret, { 'if-none-match': etag })
      assert.deepEqual([unchanged.status, unchanged.headers.get('access-control-allow-origin')], [304, PAGE])

      const preflight = (origin: string, path = '/api/v1/team') =>
        request(path, { method: 'OPTIONS', headers: { ...PREFLIGHT, origin } })
      const asked = await preflight(PAGE)
      assert.deepEqual([asked.status, asked.text], [204, ''])
      // The client sends `User-Agent`, which browsers ask for where they let scripts set it.
      assert.match(
        asked.headers.get('access-control-allow-headers')!,
        /Authorization, If-None-Match.*, User-Agent/,
      )
      assert.equal(asked.headers.get('access-control-allow-methods'), 'GET, HEAD')
      for (const [origin, path] of [
        ['https://other.example', '/api/v1/team'],
        [PAGE, '/app/v1/me'],
        [PAGE, '/'],
      ] as const) {
        const { status, headers } = await preflight(origin, path)
        assert.ok(status >= 400, path)
        assert.deepEqual(corsOf(headers), [])
      }

      const replaced = await changeTeam(database, team.key, (change) => replaceToken(change, token.id, 1))
      assert.deepEqual(replaced!.token.origins, [PAGE, 'null'])
      for (const id of [token.id, replaced!.token.id])
        await changeTeam(database, team.key, (change) => revokeToken(change, id))
      assert.equal((await preflight(PAGE)).status, 401)
      assert.deepEqual(corsOf((await read('/team', PAGE)).headers), [])
    })
  })
}

test('[TOK-36] given any text, when it is an origin, then it has no path, user, blank or asterisk, and is https, of this machine, or null; other spellings of one are read', () => {
  for (const text of [PAGE, 'http://localhost:5173', 'http://127.0.0.1', 'http://[::1]:80', 'null'])
    assert.equal(isOrigin(text), text !== 'http://[::1]:80', text)
  for (const text of [
    '*',
    'https://*.example.org',
    'http://example.org',
    `${PAGE}/`,
    'https://a.example https://b.example',
    'file:///',
    '',
  ])
    assert.equal(isOrigin(text), false, text)
  for (const [text, origin] of [
    [` ${PAGE}/ `, PAGE],
    [`${PAGE.toUpperCase()}:443`, PAGE],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['NULL', 'null'],
    [`${PAGE}/reports`, undefined],
    [`${PAGE}?`, undefined],
    ['https://ann@dashboard.example.org', undefined],
  ])
    assert.equal(readOrigin(text!), origin, text)
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => {
      const origin = readOrigin(text)
      if (origin !== undefined) assert.ok(isOrigin(origin))
      if (isOrigin(text)) assert.equal(origin, text)
      if (isOrigin(text)) assert.match(text, /^(null|https?:\/\/[^\s/@?#*]+)$/)
    }),
  )
})
