import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { numbers, tubes } from '../../../../apps/server/src/features/solutions/testing/graphs.ts'
import { startSolutions } from '../../../../apps/server/src/features/solutions/testing/start-solutions.ts'
import { createFolder } from '../../../../apps/server/src/testing/definition-folder.ts'
import { createFileCache } from '../node/index.ts'
import {
  ApiError,
  BadAnswer,
  BadRequest,
  ConnectionFailed,
  createMemoryCache,
  Forbidden,
  Meadow,
  MeadowError,
  NotFound,
  NotSolved,
  type Solution,
  SolveFailed,
  Solving,
  TimedOut,
  treeOf,
  treesOf,
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
    for (const id of ['', '.', '..', undefined as unknown as string])
      await assert.rejects(meadow.readSolution(id), /is not an id/)
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

  test('[SDK-4] given a cache that fails, when an answer is to be kept, then the call fails with its error, after one request', async (t) => {
    const { address, secret } = await startSolutions(t)
    const { fetch, seen } = watchFetch()
    const cache = {
      get: () => undefined,
      set: () => Promise.reject(new Error('The disk is full.')),
    }
    const meadow = new Meadow({ baseUrl: address, token: secret, fetch, cache })
    await assert.rejects(meadow.readTeam(), { message: 'The disk is full.' })
    assert.equal(seen.length, 1)
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
    // The last one is that of a script whose environment has no token.
    for (const token of ['', 'mdw_\nsecret', 'mdw_§secret', undefined as unknown as string])
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
    for (const path of ['/api/v1/team', 'api/v1/team', 'team'])
      assert.equal((await meadow.request(path)).status, 200, path)
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

  test('[SDK-33] given a solution and its document, when its trees are listed, then each has the names that the canvas shows; a document has its typed-in values', async (t) => {
    const { address, secret, document, solve } = await startSolutions(t)
    const meadow = new Meadow({ baseUrl: address, token: secret })
    const id = await document(numbers(4))
    await solve(id)
    const [graph, solution] = [await meadow.readDocument(id), await meadow.readSolution(id)]
    const trees = treesOf(solution, graph)
    const series = trees.find(({ node, port }) => node === 'Numbers' && port === 'S')!
    assert.deepEqual(series.tree.values, [0, 1, 2, 3])
    assert.deepEqual(treeOf(solution, series.nodeId, series.portId).values, [0, 1, 2, 3])
    assert.ok(!('node' in treesOf(solution)[0]!))
    assert.equal(trees.length, Object.values(solution.data).slice(1).flatMap(Object.keys).length)
    const count = treesOf(graph).find(({ node, port }) => node === 'Numbers' && port === 'C')!
    assert.deepEqual(count.tree.values, [4])
  })

  test('[SDK-51] given a cache in a folder, when a program is started again, then what has not changed is not sent again', async (t) => {
    const { address, secret, team, fixtures } = await startSolutions(t)
    await fixtures.document(team, { name: 'Türme 塔' })
    const folder = join(await createFolder(t), 'cache')
    const { fetch, seen } = watchFetch()
    const start = () => new Meadow({ baseUrl: address, token: secret, fetch, cache: createFileCache(folder) })
    const first = await start().searchDocuments()
    assert.deepEqual(await start().searchDocuments(), first)
    assert.deepEqual(
      seen.map(({ status }) => status),
      [200, 304],
    )
    const [file] = await readdir(folder)
    assert.equal((await stat(folder)).mode & 0o777, 0o700)
    assert.equal((await stat(join(folder, file!))).mode & 0o777, 0o600)

    const whole = await readFile(join(folder, file!))
    for (const broken of [
      whole.subarray(0, -3),
      whole.subarray(0, 10),
      Buffer.from('no JSON\n'),
      Buffer.alloc(0),
    ]) {
      await writeFile(join(folder, file!), broken)
      assert.deepEqual(await start().searchDocuments(), first)
      assert.equal(seen.at(-1)!.status, 200)
    }
    assert.deepEqual(await readdir(folder), [file])
  })
})

/** A client whose every answer of 202 is told of. */
async function startWaiting(t: TestContext) {
  const server = await startSolutions(t)
  const asked = Promise.withResolvers<Headers>()
  let requests = 0
  const fetch: typeof globalThis.fetch = (input, init) => {
    requests++
    asked.resolve(new Headers(init!.headers))
    return globalThis.fetch(input, init)
  }
  const meadow = new Meadow({ baseUrl: server.address, token: server.secret, fetch })
  return { ...server, meadow, asked: asked.promise, requests: () => requests }
}

describe('waiting for a solution', () => {
  test('[SDK-35] given a solve that runs, when it succeeds, then the one request that waited for it has the solution', async (t) => {
    const { meadow, document, run, solveLeased, asked, requests } = await startWaiting(t)
    const id = await document(numbers())
    const lease = await run(id)
    const waiting = meadow.waitForSolution(id)
    assert.equal((await asked).get('prefer'), 'wait=30')
    const solutionId = await solveLeased(lease)
    assert.equal((await waiting).data.solutionId, solutionId)
    assert.equal(requests(), 1)
    assert.equal((await meadow.waitForSolution(id)).data.solutionId, solutionId)
  })

  test('[SDK-36] given a document that was never solved, one whose solve fails, and none, when its solution is waited for, then the error comes at once', async (t) => {
    const { meadow, document, run, failLeased, asked } = await startWaiting(t)
    await assert.rejects(meadow.waitForSolution('doc_none'), NotFound)
    const id = await document(numbers())
    await assert.rejects(meadow.waitForSolution(id), NotSolved)
    const lease = await run(id)
    const waiting = meadow.waitForSolution(id)
    await asked
    await failLeased(lease, 'For a test.')
    await assert.rejects(waiting, SolveFailed)
  })

  test('[SDK-37] given a solve that goes on, when the time is up or the signal aborted, then the wait ends', async (t) => {
    const { meadow, document, run, requests, asked } = await startWaiting(t)
    const id = await document(numbers())
    await run(id)
    await assert.rejects(meadow.waitForSolution(id, { timeoutMs: 50 }), (error) => {
      assert.ok(error instanceof TimedOut)
      assert.equal(error.message, `Waiting for the solution of ${id} took longer than 0.05 s.`)
      return true
    })
    assert.equal(requests(), 1)
    await asked
    const controller = new AbortController()
    const waiting = meadow.waitForSolution(id, { signal: controller.signal })
    controller.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
  })
})

describe('parts and lines', () => {
  test('[SDK-1] given parts, then they are what the API answers', async (t) => {
    const { address, secret, get, document, solve, fixtures, team } = await startSolutions(t)
    const meadow = new Meadow({ baseUrl: address, token: secret })
    const id = await document(tubes())
    await fixtures.folder(team, 'A', 'B')
    await solve(id)
    const nodes = ['name:Tubes', 'nothing']
    assert.deepEqual(
      await meadow.readDocument(id, { nodes, fields: ['name', 'nodes'] }),
      (await get(`/documents/${id}?nodes=name:Tubes,nothing&fields=name,nodes`)).json.document,
    )
    const part = await meadow.readSolution(id, { nodes })
    assert.deepEqual(part, (await get(`/documents/${id}/solution?nodes=name:Tubes,nothing`)).json)
    assert.deepEqual(part.notFound, { nodes: ['nothing'] })
    const root = await meadow.readFolder('root', { depth: 2 })
    assert.equal(root.folders[0]!.folders![0]!.name, 'B')
  })

  test('[SDK-70] given a solution, when it is read in lines, then each port, and the solution at the end', async (t) => {
    const { address, secret, document, solve } = await startSolutions(t)
    const meadow = new Meadow({ baseUrl: address, token: secret })
    const id = await document(tubes())
    const unsolved = meadow.readSolutionLines(id)
    await assert.rejects(Array.fromAsync(unsolved), NotSolved)
    await solve(id)
    for (const options of [{}, { nodes: ['name:Tubes'], includeGeometry: true }]) {
      const whole = await meadow.readSolution(id, options)
      const data: Record<string, Record<string, unknown>> = {}
      let end: Solution | undefined
      for await (const line of meadow.readSolutionLines(id, options)) {
        assert.equal(end, undefined)
        if ('data' in line) end = line
        else {
          const { nodeInstanceId, portInstanceId, ...tree } = line
          data[nodeInstanceId] = { ...data[nodeInstanceId], [portInstanceId]: tree }
        }
      }
      assert.deepEqual({ ...end, data: { ...end!.data, ...data } }, whole)
    }
  })

  test('[SDK-70] given lines that break off, are none, or are read no further, then the error of it, and the connection ends', async () => {
    const read = (body: string | ReadableStream, type = 'application/x-ndjson') => {
      const fetch = async () => new Response(body, { headers: { 'content-type': type } })
      return new Meadow({ baseUrl: 'https://meadow.example.org', token: 'x', fetch }).readSolutionLines(
        'doc_1',
      )
    }
    const port = '{"nodeInstanceId":"a","portInstanceId":"b","branches":[]}\n'
    for (const cut of ['', port, `${port}{"data":{"solutionId":"s"}`])
      await assert.rejects(Array.fromAsync(read(cut)), ConnectionFailed)
    await assert.rejects(Array.fromAsync(read(`${port}no\n`)), BadAnswer)
    await assert.rejects(Array.fromAsync(read('{"data":{}}', 'application/json')), BadAnswer)
    let isCancelled = false
    const bytes = new TextEncoder().encode(port)
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(bytes),
      cancel: () => {
        isCancelled = true
      },
    })
    for await (const _ of read(endless)) break
    assert.ok(isCancelled)
  })
})
