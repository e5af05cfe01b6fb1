import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startBare } from '../harness/bare.ts'
import { readProcessFigures } from '../harness/process-figures.ts'
import type { SyntheticTeam } from '../team/synthetic-team.ts'
import type { Contender } from './contender.ts'
import { measureCase } from './measure.ts'

const TEAM: SyntheticTeam = {
  documents: 1,
  folders: 1,
  secret: '',
  typicalFolders: ['a', 'b'] as never[],
  smallDocuments: [],
  largeDocuments: [],
  subtrees: [{ folder: 'a' as never, documents: 1 }],
  names: ['a name long enough v01'],
}

/** Contenders at one port, with a folder's id as the path. A response is a fact as it is. */
const createContenders =
  (port: number) =>
  (name: string, reference?: Contender): Contender => ({
    name,
    team: TEAM,
    requestsFor: ({ reads }) => ({
      host: '127.0.0.1',
      port,
      pid: process.pid,
      requests: reads.map((read) => ({ path: read.kind === 'folder' ? `/${read.folder}` : '/' })),
    }),
    readFacts: (_read, body) => body as never,
    ...(reference && { reference }),
  })

test('given a server, when a case is measured, then the bare server sends the same responses, in interleaved rounds', async (t) => {
  const server = createServer((request, response) => {
    const isKnown = request.headers['if-none-match'] === '"tag"'
    response.writeHead(isKnown ? 304 : 200, { etag: '"tag"', 'x-own': 'yes' })
    response.end(isKnown ? '' : 'x'.repeat(request.url === '/a' ? 1_000 : 3_000))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const contender = createContenders(port)
  await using bare = await startBare()
  const options = { connections: 2, roundMs: 40, rounds: 3 }
  const measure = (name: string) =>
    measureCase(name, [contender('one'), contender('two')], bare, options).then(({ figures }) => figures)

  const first = await measure('folder, first')
  assert.deepEqual(
    first.map(({ name }) => name),
    ['bare', 'one', 'two'],
  )
  for (const { perSecond, ratio, p50Ms, p99Ms, meanBodyBytes } of first) {
    assert.equal(perSecond.length, 3)
    assert.ok(ratio > 0 && p50Ms > 0 && p99Ms >= p50Ms)
    assert.ok(Math.abs(meanBodyBytes - 2_000) < 1_000, `${meanBodyBytes}`)
  }
  assert.equal(first[0]!.ratio, 1)

  const unchanged = await measure('folder, 304')
  assert.ok(unchanged.every(({ meanBodyBytes }) => meanBodyBytes === 0))
})

test('given peers, when a case is measured, then those that say something else or have no entity tags are left out with the reason', async (t) => {
  const serve = async (text: string, headers: Record<string, string>) => {
    const server = createServer((request, response) => {
      response.writeHead(request.headers['if-none-match'] ? 304 : 200, headers).end(text)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    return createContenders((server.address() as AddressInfo).port)
  }
  const meadow = (await serve('the same', { etag: '"tag"' }))('Meadow')
  const peers = [
    (await serve('the same', {}))('equal', meadow),
    (await serve('another', { etag: '"tag"' }))('different', meadow),
    { ...meadow, name: 'without', reference: meadow, requestsFor: () => ({ reason: 'has no such read' }) },
  ]
  await using bare = await startBare()
  const measure = (name: string) =>
    measureCase(name, [meadow, ...peers], bare, { connections: 1, roundMs: 10, rounds: 1 })

  const { figures, leftOut } = await measure('folder, first')
  assert.deepEqual(
    figures.map(({ name }) => name),
    ['bare', 'Meadow', 'equal'],
  )
  const different = {
    name: 'different',
    reason: 'a folder: the response is "another" instead of "the same"',
  }
  const without = { name: 'without', reason: 'has no such read' }
  assert.deepEqual(leftOut, [different, without])
  assert.deepEqual((await measure('folder, 304')).leftOut, [
    { name: 'equal', reason: 'its responses have no entity tags' },
    different,
    without,
  ])
})

test('given a server that answers with errors, when it is measured, then the case fails with the response', async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(500).end('broken')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const failing: Contender = {
    name: 'failing',
    team: TEAM,
    requestsFor: () => ({ host: '127.0.0.1', port, requests: [{ path: '/' }] }),
    readFacts: (_read, body) => body as never,
  }
  await using bare = await startBare()
  const options = { connections: 1, roundMs: 10, rounds: 1 }
  await assert.rejects(measureCase('team', [failing], bare, options), /failing answered 500 .*broken/)
})

test('given this process on Linux, when its figures are read, then they are defined', {
  skip: process.platform !== 'linux',
}, () => {
  const { residentBytes, peakResidentBytes, cpuMs } = readProcessFigures(process.pid)
  assert.ok(residentBytes! > 2 ** 20 && peakResidentBytes! >= residentBytes! && cpuMs! >= 10)
  assert.deepEqual(readProcessFigures(2 ** 30), {
    residentBytes: undefined,
    peakResidentBytes: undefined,
    cpuMs: undefined,
  })
})
