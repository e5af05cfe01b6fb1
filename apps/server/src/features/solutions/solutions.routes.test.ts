import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { createLog, type Log } from '../../platform/log.ts'
import { numbers, tubes } from './testing/graphs.ts'
import { startSolutions } from './testing/start-solutions.ts'

const FORMS = ['', '?includeGeometry=true', '?format=bimz']

describe('states', () => {
  test('[C3, D24] given a document, when it is solved, then its solution; before that 409 and 202', async (t) => {
    const { document, queue, lease, get, solveLeased } = await startSolutions(t)
    const id = await document(numbers())
    const statusOf = async () => (await get(`/documents/${id}/solution`)).status
    assert.equal(await statusOf(), 409)
    const solutionId = await queue(id)
    assert.equal(await statusOf(), 202)
    const leased = await lease(id)
    assert.equal(await statusOf(), 202)
    await solveLeased(leased)
    const { status, json } = await get(`/documents/${id}/solution`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(json), [
      'data',
      'includesGeometry',
      'solvedAt',
      'durationMs',
      'completeness',
      'solver',
      'messages',
    ])
    assert.equal(json.data.solutionId, solutionId)
    assert.equal(json.includesGeometry, false)
    assert.match(json.solvedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('[C2, D22] given a solved document, then a canonical tree by node id and port id, also for a single number', async (t) => {
    const { document, solve, get } = await startSolutions(t)
    const graph = numbers(1)
    const id = await document(graph)
    const solutionId = await solve(id)
    const { json } = await get(`/documents/${id}/solution`)
    const { solutionId: _, ...nodes } = json.data
    assert.deepEqual(Object.keys(nodes).sort(), Object.keys(graph.nodes).sort())
    assert.equal(json.data.solutionId, solutionId)
    const series = Object.values(graph.nodes).find(({ name }) => name === 'Series')!
    assert.deepEqual(nodes[series.instanceId], {
      [Object.keys(series.outputs)[0]!]: {
        branches: [{ path: '{0;0}', values: [{ type: 'number', value: 0 }] }],
      },
    })
  })

  test('[C3, D25] given an older solution, then 202 while a newer solve runs, and 502 after it failed', async (t) => {
    const { document, solve, run, failLeased, get } = await startSolutions(t)
    const id = await document(numbers())
    await solve(id)
    const running = await run(id)
    for (const form of FORMS) assert.equal((await get(`/documents/${id}/solution${form}`)).status, 202)
    await failLeased(running, 'It took too long.')
    for (const form of FORMS) assert.equal((await get(`/documents/${id}/solution${form}`)).status, 502)
    const next = await solve(id)
    assert.equal((await get(`/documents/${id}/solution`)).json.data.solutionId, next)
  })

  test('[C7, D9] given a solve that runs, then 202 with Retry-After and one sentence', async (t) => {
    const { document, queue, get } = await startSolutions(t)
    const id = await document(numbers())
    await queue(id)
    const { status, headers, json } = await get(`/documents/${id}/solution`)
    assert.equal(status, 202)
    assert.match(headers.get('retry-after')!, /^[1-9]\d*$/)
    assert.deepEqual(json, { error: 'A solve of this document is still running. Ask again in a moment.' })
    assert.equal(headers.get('etag'), null)
  })

  test('[C7] given a solve that failed, then 502 with the reason in one sentence after the usual one', async (t) => {
    const { document, fail, get } = await startSolutions(t)
    const id = await document(numbers())
    await fail(id, 'The wires run in a circle, through "A" (a1) and "B" (b2).')
    const { status, json } = await get(`/documents/${id}/solution`)
    assert.equal(status, 502)
    assert.deepEqual(json, {
      error:
        'The most recent solve of this document failed. The wires run in a circle, through "A" (a1) and "B" (b2).',
    })
  })

  test('[D1] given a wrong format, then 400 whatever the state; given a foreign document, then 404 whatever its state', async (t) => {
    const { document, solve, fixtures, get } = await startSolutions(t)
    const id = await document(numbers())
    assert.equal((await get(`/documents/${id}/solution?format=.json`)).status, 400)
    await solve(id)
    assert.equal((await get(`/documents/${id}/solution?format=.json`)).status, 400)
    const { secret: token } = await fixtures.token(await fixtures.team('Other'))
    const foreign = await get(`/documents/${id}/solution`, { token })
    assert.equal(foreign.status, 404)
    assert.equal(foreign.text, (await get('/documents/nothing/solution')).text)
  })

  test('[D27] given any state, then an export is rejected unless a solve succeeded', async (t) => {
    const { document, queue, lease, solve, fail, failLeased, get } = await startSolutions(t)
    const id = await document(numbers())
    const statusOf = async () => (await get(`/documents/${id}/export?format=.3dm`)).status
    assert.equal(await statusOf(), 409)
    await queue(id)
    assert.equal(await statusOf(), 202)
    await failLeased(await lease(id), 'It broke.')
    assert.equal(await statusOf(), 502)
    await solve(id)
    const solved = await statusOf()
    await fail(id, 'It broke again.')
    assert.equal(await statusOf(), solved)
    await queue(id)
    assert.equal(await statusOf(), solved)
    assert.ok(![409, 202, 502].includes(solved))
  })
})

describe('responses', () => {
  test('[D10] given an encoding, then the stored bytes as they are, or unpacked, with a tag and length of their own', async (t) => {
    const { document, solve, readRow, blobs, getRaw } = await startSolutions(t)
    const id = await document(numbers(100))
    const row = await readRow(await solve(id))
    const gzip = (await blobs.read(row.values_gzip!))!
    const zstd = (await blobs.read(row.values_zstd!))!
    const plain = gunzipSync(gzip)
    assert.deepEqual(zstdDecompressSync(zstd), plain)
    const tags = new Set<string>()
    for (const [accepted, encoding, bytes] of [
      ['zstd', 'zstd', zstd],
      ['gzip', 'gzip', gzip],
      ['gzip, deflate, br', 'gzip', gzip],
      ['gzip, deflate, br, zstd', 'zstd', zstd],
      ['gzip;q=0.9, zstd;q=0.1', 'gzip', gzip],
      ['br, zstd;q=0.1', 'zstd', zstd],
      ['identity', undefined, plain],
      [undefined, undefined, plain],
    ] as const) {
      const headersSent = accepted === undefined ? {} : { 'accept-encoding': accepted }
      const { status, headers, bytes: sent } = await getRaw(`/documents/${id}/solution`, headersSent)
      assert.equal(status, 200)
      assert.equal(headers['content-encoding'], encoding, accepted)
      assert.ok(sent.equals(bytes), accepted)
      assert.equal(headers['content-length'], String(bytes.length))
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      assert.equal(headers['cache-control'], 'private, no-cache')
      assert.equal(headers.vary, 'Authorization, Accept-Encoding')
      assert.match(headers['x-request-id'] as string, /^[0-9a-f-]{36}$/)
      assert.match(headers.etag!, /^"[^"]+"$/)
      tags.add(headers.etag!)
    }
    assert.equal(tags.size, 3)
  })

  test('[D10] given a caller that accepts Brotli alone, then the stored bytes in Brotli with a tag of their own', async (t) => {
    const { document, solve, getRaw } = await startSolutions(t)
    const id = await document(numbers(100))
    await solve(id)
    const path = `/documents/${id}/solution`
    const plain = await getRaw(path)
    const accept = { 'accept-encoding': 'br' }
    const { status, headers, bytes } = await getRaw(path, accept)
    assert.deepEqual([status, headers['content-encoding']], [200, 'br'])
    assert.ok(brotliDecompressSync(bytes).equals(plain.bytes))
    assert.notEqual(headers.etag, plain.headers.etag)
    const head = await getRaw(path, accept, 'HEAD')
    assert.deepEqual([head.headers.etag, head.bytes.length], [headers.etag, 0])
    const unchanged = await getRaw(path, { ...accept, 'if-none-match': headers.etag! })
    assert.deepEqual([unchanged.status, unchanged.headers.etag], [304, headers.etag])
  })

  test('[D6, D10] given HEAD or the current tag, then the headers of GET without a body, and nothing is read', async (t) => {
    const { document, solve, getRaw } = await startSolutions(t)
    const id = await document(tubes())
    await solve(id)
    const tags = new Set<string>()
    for (const form of FORMS) {
      for (const encoding of ['gzip', 'zstd', 'identity']) {
        const path = `/documents/${id}/solution${form}`
        const accept = { 'accept-encoding': encoding }
        const { date: _, 'x-request-id': __, ...whole } = (await getRaw(path, accept)).headers
        const head = await getRaw(path, accept, 'HEAD')
        assert.equal(head.status, 200)
        assert.equal(head.bytes.length, 0)
        for (const [name, value] of Object.entries(whole)) assert.equal(head.headers[name], value, name)
        for (const condition of [whole.etag!, `W/${whole.etag}`, `"x", ${whole.etag}`, '*']) {
          const again = await getRaw(path, { ...accept, 'if-none-match': condition })
          assert.equal(again.status, 304, condition)
          assert.equal(again.bytes.length, 0)
          assert.equal(again.headers.etag, whole.etag)
          assert.equal(again.headers.vary, whole.vary)
        }
        tags.add(whole.etag!)
      }
    }
    assert.equal(tags.size, 9)
  })

  test('[D10, D24] given a new solve, then the old tag is no longer current', async (t) => {
    const { document, solve, getRaw } = await startSolutions(t)
    const id = await document(numbers())
    await solve(id)
    const { headers } = await getRaw(`/documents/${id}/solution`)
    await solve(id)
    const again = await getRaw(`/documents/${id}/solution`, { 'if-none-match': headers.etag })
    assert.equal(again.status, 200)
    assert.notEqual(again.headers.etag, headers.etag)
  })

  test('[C7, D8] given a body that is missing from the store, then 500 with the usual sentence, and the log says which', async (t) => {
    const { log, lines } = recordLog()
    const { document, solve, readRow, blobPath, getRaw } = await startSolutions(t, { log })
    const id = await document(numbers())
    const { values_gzip, values_zstd } = await readRow(await solve(id))
    for (const digest of [values_gzip!, values_zstd!]) await rm(blobPath(digest))
    for (const [encoding, digest] of [
      ['gzip', values_gzip],
      ['zstd', values_zstd],
      ['identity', values_gzip],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const headersSent = { 'accept-encoding': encoding, 'x-request-id': `${encoding}-${method}` }
        const response = await getRaw(`/documents/${id}/solution`, headersSent, method)
        assert.equal(response.status, 500)
        assert.equal(response.headers.etag, undefined)
        if (method === 'GET') {
          assert.deepEqual(JSON.parse(String(response.bytes)), { error: 'Something went wrong on our side.' })
        }
        const line = lines.find(({ requestId, err }) => requestId === `${encoding}-${method}` && err)
        assert.match(line!.err!.message, new RegExp(`The blob ${digest}`))
      }
    }
  })
})

/** A log that collects its errors. */
function recordLog() {
  const lines: { requestId?: string; err?: Error }[] = []
  const log: Log = Object.assign(createLog('silent'), {
    error: (line: (typeof lines)[number]) => lines.push(line),
  })
  return { log, lines }
}
