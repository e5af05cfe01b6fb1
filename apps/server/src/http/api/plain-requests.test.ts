import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { revokeToken } from '../../access/team-tokens.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { DATABASES } from '../../testing/databases.ts'
import { type RawResponse, requestRaw } from '../../testing/raw-answers.ts'
import { startServer } from '../../testing/start-server.ts'
import { until } from '../../testing/until.ts'
import { SMALL_RESPONSE_BYTES } from '../admission.ts'
import { countParsed, keepConnection } from '../testing/kept-connection.ts'

const API = '/api/v1'

/** What is the same of two responses to one request. */
function compared({ status, headers, text }: RawResponse) {
  const {
    date,
    connection,
    'keep-alive': keepAlive,
    'x-request-id': id,
    ...others
  } = Object.fromEntries(headers)
  assert.ok(date && connection && id)
  return { status, others, text }
}

for (const kind of DATABASES) {
  describe(`requests that differ in their address, on ${kind.name}`, kind.options, () => {
    const start = async (t: TestContext, settings: Record<string, string> = {}) => {
      const { databaseUrl } = { databaseUrl: undefined, ...(await kind.createLocation(t)) }
      return startServer(t, { ...settings, ...(databaseUrl && { DATABASE_URL: databaseUrl }) })
    }

    test('[HTTP-27] given any addresses behind another one, when they are requested, then each gets what it gets by itself, and small bodies are not parsed for', async (t) => {
      const { address, secret, fixtures, team } = await start(t)
      const folder = await fixtures.folder(team, 'Projects', 'Tower “A”')
      const large = {
        nodes: {},
        groups: [],
        configuration: { inputs: [], outputs: [] },
        x: 'x'.repeat(SMALL_RESPONSE_BYTES),
      }
      const documents = [
        await fixtures.document(team, { folder: folder.key, name: 'Façade 10' }),
        await fixtures.document(team, { folder: folder.key, name: 'Large', content: large }),
      ]
      const limited = await fixtures.token(team, { folders: [folder.id] })
      const reader = await fixtures.token(team, { scopes: ['folders:read'] as never })
      const parsed = countParsed(t, address)
      const ids = [
        folder.id,
        'root',
        ...documents,
        'fld_0000000000000000',
        '',
        '%72oot',
        'root%20',
        '..',
        'ü',
      ]
      const path = fc.oneof(
        fc
          .tuple(fc.constantFrom('folders', 'documents', 'solutions', 'nothing'), fc.constantFrom(...ids))
          .map((parts) => parts.join('/')),
        fc.constantFrom('team', 'team/', '/team', 'team#part', 'documents', 'folders'),
        fc
          .constantFrom(
            'q=to',
            'q=',
            'q=%E2%80%9C',
            'q=a+b',
            'folderId=root',
            'folderId=no',
            'q=a&q=b',
            'x=1',
          )
          .map((query) => `documents?${query}`),
      )
      const target = fc.oneof(
        { weight: 9, arbitrary: path.map((path) => `${API}/${path}`) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('/healthz', '/api', '//', `http://other${API}/team`, `${API}/team?/..`),
        },
      )
      const fields = fc.constantFrom(
        '',
        'Accept-Encoding: gzip\r\n',
        'X-Request-Id: mine\r\n',
        'If-None-Match: *\r\n',
      )
      const token = fc.constantFrom(secret, limited.secret, reader.secret)
      let notParsed = 0
      await fc.assert(
        fc.asyncProperty(target, fields, token, async (target, fields, token) => {
          const ask = (target: string, more = '') =>
            Buffer.from(
              `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${fields}${more}\r\n`,
            )
          const last = ask('/healthz', 'Connection: close\r\n')
          const before = parsed()
          const [, behind] = await requestRaw(address, ask(`${API}/folders/root`), ask(target), last)
          const isParsed = parsed() - before === 3
          const [alone] = await requestRaw(address, ask(target), last)
          assert.deepEqual(compared(behind!), compared(alone!))
          const isCached = [200, 304].includes(alone!.status) && target.includes(API)
          if (!isParsed) notParsed++
          // What is no HTTP ends its connection without having been parsed.
          assert.ok(isParsed || isCached || alone!.status === 400)
          if (
            isCached &&
            !fields.startsWith('If') &&
            /^[\w/?=&.~-]*$/.test(target) &&
            alone!.text.length < SMALL_RESPONSE_BYTES
          )
            assert.ok(!isParsed)
        }),
        { numRuns: 150, examples: documents.map((id) => [`${API}/documents/${id}`, '', secret]) },
      )
      assert.ok(notParsed > 0)
    })

    test('[HTTP-27, C1.3] given a connection whose requests are not parsed, when data change or the token is revoked, then the very next response says so', async (t) => {
      const { address, secret, fixtures, team, database } = await start(t)
      const other = await fixtures.token(team)
      const folders = [await fixtures.folder(team, 'A'), await fixtures.folder(team, 'B')]
      const parsed = countParsed(t, address)
      const read = keepConnection(t, address)
      for (const token of [secret, other.secret]) assert.match(await read('team', token), /^HTTP\/1\.1 200 /)
      const before = parsed()
      for (const { id } of folders) assert.match(await read(`folders/${id}`, secret), /^HTTP\/1\.1 200 /)
      await fixtures.folder(team, 'A', 'New')
      assert.match(await read(`folders/${folders[0]!.id}`, secret), /New/)
      assert.match(await read(`folders/${folders[1]!.id}`, other.secret), /^HTTP\/1\.1 200 /)
      assert.equal(parsed(), before)
      await changeTeam(database, team.key, (change) => revokeToken(change, other.id))
      assert.match(await read(`folders/${folders[0]!.id}`, other.secret), /^HTTP\/1\.1 401 /)
      assert.match(await read(`folders/root`, secret), /^HTTP\/1\.1 200 /)
    })

    test('[HTTP-27] given a caller that may make one request at once, when it makes several, then they wait for each other and are not parsed', async (t) => {
      const { address, secret, fixtures, team } = await start(t, { MEADOW_MAX_REQUESTS: 'caller=1' })
      const { id } = await fixtures.folder(team, 'A')
      const parsed = countParsed(t, address)
      const connections = Array.from({ length: 5 }, () => keepConnection(t, address))
      const readAll = (path: string) => Promise.all(connections.map((read) => read(path, secret)))
      await readAll('team')
      const before = parsed()
      for (const response of await readAll(`folders/${id}`)) assert.match(response, /^HTTP\/1\.1 200 /)
      assert.equal(parsed(), before)
    })

    test('[HTTP-26] given a large document that is read again, then its request is not parsed, unless another team is active', async (t) => {
      const { get, address, fixtures, team } = await start(t)
      const other = await fixtures.token(await fixtures.team('Other'))
      const content = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }
      const id = await fixtures.document(team, {
        content: { ...content, x: 'x'.repeat(3 * SMALL_RESPONSE_BYTES) },
      })
      const parsed = countParsed(t, address)
      const read = async () => {
        const before = parsed()
        const { status, text, headers } = await get(`/documents/${id}`, {
          headers: { 'accept-encoding': 'identity' },
        })
        return {
          response: [status, text, headers.get('etag'), headers.get('content-length')],
          parsed: parsed() - before,
        }
      }
      const first = await read()
      // A commit of another test on the same PostgreSQL makes the next request be parsed.
      await until('a response is sent again', async () => {
        const again = await read()
        assert.deepEqual(again.response, first.response)
        return again.parsed === 0
      })
      await get('/team', { token: other.secret })
      assert.deepEqual(await read(), { response: first.response, parsed: 1 })
    })

    test('[HTTP-27, D3] given an address that names a host, when another one is requested with the same header, then the host is that of the header', async (t) => {
      const { address, secret, fixtures } = await start(t)
      await fixtures.team('Other', 'other.example')
      const ask = (target: string, more = '') =>
        `GET ${target} HTTP/1.1\r\nHost: other.example\r\nAuthorization: Bearer ${secret}\r\n${more}\r\n`
      const last = ask(`${API}/team`, 'Connection: close\r\n')
      const responses = await requestRaw(
        address,
        ask(`http://x${API}/team`),
        ask(`${API}/folders/root`),
        last,
      )
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 403, 403],
      )
    })
  })
}
