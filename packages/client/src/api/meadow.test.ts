import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { numbers, tubes } from '../../../../apps/server/src/features/solutions/testing/graphs.ts'
import { startSolutions } from '../../../../apps/server/src/features/solutions/testing/start-solutions.ts'
import {
  ApiError,
  BadAnswer,
  BadRequest,
  createMemoryCache,
  Forbidden,
  Meadow,
  MeadowError,
  NotFound,
  NotSolved,
  SolveFailed,
  Solving,
  Unauthenticated,
} from './index.ts'

/** The answers that the platform's `fetch` got, in order. */
function watchFetch() {
  const seen: { address: string; status: number; headers: Headers }[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await globalThis.fetch(input, init)
    seen.push({ address: String(input), status: response.status, headers: new Headers(init?.headers) })
    return response
  }
  return { fetch, seen }
}

describe('Meadow', () => {
  test('[SDK-1] given a team, when each endpoint is read, then its result is what the API answers, without a member that is the only one', async (t) => {
    const { address, secret, team, get, document, solve, fixtures } = await startSolutions(t)
    const meadow = new Meadow({ baseUrl: address, token: secret })
    const id = await document(tubes(), 'Tubes')
    const folder = await fixtures.folder(team, 'Façades & more')
    await solve(id)
    assert.deepEqual(await meadow.readTeam(), (await get('/team')).json.team)
    assert.deepEqual(await meadow.readFolder('root'), (await get('/folders/root')).json.folder)
    assert.equal((await meadow.readFolder(folder.id)).name, 'Façades & more')
    assert.deepEqual(await meadow.searchDocuments({ q: 'UBE' }), (await get('/documents?q=UBE')).json)
    assert.deepEqual(await meadow.readDocument(id), (await get(`/documents/${id}`)).json.document)
    const path = `/documents/${id}/solution`
    assert.deepEqual(await meadow.readSolution(id), (await get(path)).json)
    const withGeometry = await meadow.readSolution(id, { includeGeometry: true })
    assert.deepEqual(withGeometry, (await get(`${path}?includeGeometry=true`)).json)
    assert.ok(withGeometry.includesGeometry)
    const bim = await meadow.readSolution(id, { format: 'bimz' })
    assert.deepEqual(bim, (await get(`${path}?format=bimz`)).json)
    const { sha256, fileName } = await meadow.requestExport(id, { format: '.3dm', modelerVersion: 7 })
    const { export: answered } = (await get(`/documents/${id}/export?format=.3dm&modelerVersion=7`)).json
    assert.deepEqual([sha256, fileName], [answered.sha256, 'Tubes.3dm'])
  })

  test('[SDK-2] given an answer that is an error, then it is thrown as the class of its status, with the sentence, the request id, the address without its query and the seconds to wait', async (t) => {
    const { address, secret, team, document, fixtures, run, failLeased } = await startSolutions(t)
    const meadow = new Meadow({ baseUrl: address, token: secret })
    const id = await document(numbers())
    await assert.rejects(meadow.readSolution(id), NotSolved)
    const lease = await run(id)
    await assert.rejects(meadow.readSolution(id), (error) => {
      assert.ok(error instanceof Solving && error instanceof ApiError && error instanceof MeadowError)
      assert.deepEqual(
        { ...error, message: error.message },
        {
          name: 'Solving',
          message: 'A solve of this document is still running. Ask again in a moment.',
          status: 202,
          url: `${address}/api/v1/documents/${id}/solution`,
          requestId: error.requestId,
          retryAfterSeconds: 1,
        },
      )
      assert.match(error.requestId!, /./)
      return true
    })
    await failLeased(lease, 'No kernel.')
    await assert.rejects(meadow.readSolution(id), (error) => {
      assert.ok(error instanceof SolveFailed)
      assert.match(error.message, /No kernel\.$/)
      return true
    })
    await assert.rejects(meadow.readDocument('doc_none'), NotFound)
    const version = { format: '.gh', modelerVersion: 7 } as const
    await assert.rejects(meadow.requestExport(id, version), BadRequest)
    const other = new Meadow({ baseUrl: address, token: 'mdw_none' })
    await assert.rejects(other.readTeam(), Unauthenticated)
    const { secret: weak } = await fixtures.token(team, { scopes: ['team:read'] })
    await assert.rejects(new Meadow({ baseUrl: address, token: weak }).readFolder('root'), Forbidden)
  })

  test('[SDK-3] given ids with any characters, when they are read, then they name one part of the path, and those that an address cannot have are refused', async (t) => {
    const { address, secret } = await startSolutions(t)
    const { fetch, seen } = watchFetch()
    const meadow = new Meadow({ baseUrl: address, token: secret, fetch })
    for (const id of ['a/b', '../team', '%2e%2e', 'a?b#c', 'ä ö', '\0'])
      await assert.rejects(meadow.readDocument(id), /Could not find that document/)
    assert.equal(seen[1]!.address, `${address}/api/v1/documents/..%2Fteam`)
    seen.length = 0
    for (const id of ['', '.', '..']) await assert.rejects(meadow.readSolution(id), /is not an id/)
    assert.equal(seen.length, 0)
  })

  test('[SDK-4] given a cache, when nothing has changed, then the answer is a 304 and the result the same; when something has, then it is read anew', async (t) => {
    const { address, secret, document } = await startSolutions(t)
    const { fetch, seen } = watchFetch()
    const meadow = new Meadow({ baseUrl: address, token: secret, fetch, cache: createMemoryCache() })
    await document(numbers(), 'One')
    const first = await meadow.searchDocuments()
    first.documents.pop()
    const second = await meadow.searchDocuments()
    assert.deepEqual(
      second.documents.map(({ name }) => name),
      ['One'],
    )
    await document(numbers(), 'Two')
    assert.equal((await meadow.searchDocuments()).documents.length, 2)
    assert.deepEqual(
      seen.map(({ status }) => status),
      [200, 304, 200],
    )
  })

  test('[SDK-5] given an address of the service in any usual form, then its API is found; given none, or a token that is none, then the constructor says so without showing the token', async (t) => {
    const { address, secret } = await startSolutions(t)
    for (const baseUrl of [address, `${address}/`, `${address}/api/v1`, `${address}/api/v1/`]) {
      const meadow = new Meadow({ baseUrl, token: ` ${secret}\n` })
      assert.equal(meadow.baseUrl, address)
      assert.equal((await meadow.readTeam()).name, 'Acme')
    }
    for (const baseUrl of ['', 'meadow.example.org', 'ftp://meadow.example.org'])
      assert.throws(() => new Meadow({ baseUrl, token: secret }), /baseUrl must be an address such as/)
    for (const token of ['', 'mdw_\nsecret', 'mdw_§secret'])
      assert.throws(
        () => new Meadow({ baseUrl: address, token }),
        (error: Error) =>
          /token must be an API token/.test(error.message) && !error.message.includes('secret'),
      )
  })

  test('[SDK-6] given something else at the address, when it answers, then the error says so', async (t) => {
    const { address, secret } = await startSolutions(t)
    const meadow = new Meadow({ baseUrl: `${address}/docs`, token: secret })
    await assert.rejects(meadow.readTeam(), /^(NotFound|Forbidden)/)
    const fetch = async () =>
      new Response('<h1>Sign in to the network</h1>', { headers: { 'content-type': 'text/html' } })
    await assert.rejects(new Meadow({ baseUrl: address, token: secret, fetch }).readTeam(), (error) => {
      assert.ok(error instanceof BadAnswer)
      assert.match(error.message, /is baseUrl its address\?$/)
      return true
    })
  })

  test('[SDK-7] given a request of any kind, when it is sent, then its answer is the response of the platform, whatever its status; a path that leads out of the API is refused', async (t) => {
    const { address, secret, document } = await startSolutions(t)
    const { fetch, seen } = watchFetch()
    const meadow = new Meadow({ baseUrl: address, token: secret, fetch })
    const id = await document(numbers())
    const found = await meadow.request('/documents', { query: { q: 'tower' } })
    assert.equal(((await found.json()) as { documents: unknown[] }).documents.length, 1)
    const unsolved = await meadow.request(`api/v1/documents/${id}/solution`)
    assert.equal(unsolved.status, 409)
    assert.ok(unsolved.headers.has('x-request-id'))
    const tag = (await meadow.request('/team')).headers.get('etag')!
    assert.equal((await meadow.request('/team', { headers: { 'if-none-match': tag } })).status, 304)
    const head = await meadow.request('/team', { method: 'HEAD' })
    assert.deepEqual([head.status, await head.text()], [200, ''])
    seen.length = 0
    for (const path of ['../../healthz', '/../../openapi.json', '%2e%2e/%2e%2e/healthz'])
      await assert.rejects(meadow.request(path), /leads out of the API/)
    assert.equal(seen.length, 0)
    // Another host is a path like any other: the token goes nowhere else.
    const elsewhere = await meadow.request('//example.org/api/v1/team')
    assert.equal(new URL(seen[0]!.address).host, new URL(address).host)
    assert.equal(elsewhere.status, 404)
  })
})
