import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { after } from 'node:test'
import type { DocumentId, GraphContent, SolutionId } from '@meadow/contract'
import { openModelLibrary } from '@meadow/model'
import { createDocumentContents } from '../../../content/document-contents.ts'
import { putCompressed } from '../../../platform/blobs/compressed-bodies.ts'
import type { Log } from '../../../platform/log.ts'
import type { TestScope } from '../../../testing/at-end.ts'
import type { TestDatabase } from '../../../testing/databases.ts'
import { processScope } from '../../../testing/process-scope.ts'
import { startServer } from '../../../testing/start-server.ts'
import { solveDocument } from '../../solves/solve-document.ts'
import type { SolveLease } from '../../solves/solve-leases.store.ts'
import type { SolveResult } from '../../solves/solves.store.ts'
import { createSolveStore } from '../../solves/solves.store.ts'

/** For all tests of a file: to load it takes a fifth of a second. */
const library = openModelLibrary()
after(() => library[Symbol.asyncDispose]())

const TERMS = { leaseMs: 600_000, maxTenths: 600 }

const shared = new Map<TestDatabase | undefined, ReturnType<typeof startServer>>()

/** A server that the tests of a file share, as it is for a team that is new to it: nothing is left of other tests. */
async function shareServer(kind: TestDatabase | undefined) {
  const started = shared.get(kind) ?? startOn(processScope, kind)
  shared.set(kind, started)
  const server = await started
  await server.database.transaction(async (write) => {
    await write.deleteFrom('export_file').execute()
    await write.deleteFrom('solve').execute()
  })
  const team = await server.fixtures.team('Acme')
  const { secret } = await server.fixtures.token(team)
  const get: typeof server.get = (path, init) => server.get(path, { token: secret, ...init })
  return { ...server, team, secret, get }
}

async function startOn(scope: TestScope, kind?: TestDatabase, env: Record<string, string> = {}, log?: Log) {
  const { databaseUrl } = (await kind?.createLocation(scope)) ?? {}
  const database = databaseUrl && { DATABASE_URL: databaseUrl }
  return startServer(scope, { MEADOW_SOLVE_WORKERS: '0', ...database, ...env }, log)
}

export interface SolutionsOptions {
  /** SQLite by default. */
  kind?: TestDatabase
  /** Given one, or settings, the test has a server of its own. */
  log?: Log
  env?: Record<string, string>
  /** The test stops its server, or measures what it takes. */
  isAlone?: boolean
}

/**
 * A server without workers. The test runs the real solver itself, at the moment that it chooses.
 */
export async function startSolutions(t: TestScope, { kind, log, env, isAlone }: SolutionsOptions = {}) {
  const server = log || env || isAlone ? await startOn(t, kind, env, log) : await shareServer(kind)
  const { address, database, service, fixtures, team, secret, dataDir } = server
  const { blobs } = service
  const store = createSolveStore(database)
  const contents = createDocumentContents(database, blobs)
  await database.transaction((write) =>
    write.updateTable('team').set({ credit_tenths: 10000 }).where('id', '=', team.key).execute(),
  )

  const document = (content: GraphContent | object, name?: string) =>
    fixtures.document(team, { content, ...(name !== undefined && { name }) })

  async function queue(id: DocumentId): Promise<SolutionId> {
    const [found] = await store.findDocuments([id])
    const requested = await store.request(team.key, [found!.key])
    if ('error' in requested) throw new Error(requested.error)
    return requested.solves[0]!.id
  }

  async function lease(id: DocumentId): Promise<SolveLease> {
    const leased = await store.lease(TERMS)
    if (leased?.documentId !== id) throw new Error('Another solve was next.')
    return leased
  }

  /** Queued and then leased: it runs until the test ends it. */
  async function run(id: DocumentId): Promise<SolveLease> {
    await queue(id)
    return lease(id)
  }

  async function end(leased: SolveLease, result: SolveResult): Promise<SolutionId> {
    await store.complete(leased, { ...result, chargedMs: result.durationMs })
    return leased.id
  }

  async function solveLeased(leased: SolveLease): Promise<SolutionId> {
    const { id: solutionId, documentId } = leased
    const content = (await contents.find(leased.document))!
    const { units } = (await store.findTeamSettings(leased.team))!
    const outcome = await solveDocument({ solutionId, documentId, content, units }, { blobs, library })
    return end(leased, outcome)
  }

  /** Completes the solve with any bytes as its body. */
  async function leaveBody(leased: SolveLease, body: Iterable<Uint8Array>): Promise<SolutionId> {
    const { gzip, zstd, bytes: valuesBytes } = await putCompressed(blobs, body)
    const files = { valuesGzip: gzip.digest, valuesZstd: zstd.digest, valuesBytes, model: undefined }
    return end(leased, { state: 'solved', seq: 1, endedAt: Date.now(), durationMs: 1, files })
  }

  const failLeased = (leased: SolveLease, reason: string) =>
    end(leased, { state: 'failed', durationMs: 1, reason })

  const solve = async (id: DocumentId) => solveLeased(await run(id))
  const fail = async (id: DocumentId, reason: string) => failLeased(await run(id), reason)

  /** The row of a solution. */
  const readRow = (id: SolutionId) =>
    database.read.selectFrom('solve').where('public_id', '=', id).selectAll().executeTakeFirstOrThrow()

  /** A response whose body has not been read, as on the wire, over a connection of its own. */
  async function openRaw(
    path: string,
    headers: OutgoingHttpHeaders = {},
    method = 'GET',
  ): Promise<IncomingMessage> {
    const sent = request(`${address}/api/v1${path}`, {
      agent: false,
      method,
      headers: { authorization: `Bearer ${secret}`, ...headers },
    })
    sent.end()
    const [response] = await once(sent, 'response')
    return response
  }

  /** The same with the whole body, which `fetch` would decompress. */
  async function getRaw(...sent: Parameters<typeof openRaw>) {
    const response = await openRaw(...sent)
    return {
      status: response.statusCode,
      headers: response.headers,
      bytes: Buffer.concat(await response.toArray()),
    }
  }

  const blobPath = (digest: string) => join(dataDir, 'blobs', digest.slice(0, 2), digest)

  const solver = { queue, lease, run, solveLeased, leaveBody, failLeased, solve, fail }
  return { ...server, ...solver, blobs, library, document, readRow, openRaw, getRaw, blobPath }
}
