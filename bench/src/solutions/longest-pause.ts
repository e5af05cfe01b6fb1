import { API_PREFIX, type DocumentId } from '@meadow/contract'
import { createSolveStore } from '@meadow/server/src/features/solves/solves.store.ts'
import { openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import { load } from '../load/load.ts'
import { ask, type HttpRequest, requestBytes } from '../load/request.ts'
import type { MeadowServer } from '../servers/start-meadow.ts'
import { percentile } from '../statistics.ts'
import { solutionRequest } from './measure-bodies.ts'
import type { SolvedTeam } from './solved-team.ts'

/** What callers and the event loop see while documents are solved and model files read. Milliseconds. */
export interface LongestPause {
  /** As the server's own `/metrics` tell it. */
  pauseMs: number
  /** The same under the same load, with nothing to solve. */
  pauseAtRestMs: number
  requests: number
  p50Ms: number
  p99Ms: number
  slowestMs: number
  solves: number
}

const ROUNDS = 3
const CONNECTIONS = 8

/** Solves a million values and thousands of objects again and again, and asks for each new solution's geometry. */
export async function measureLongestPause(server: MeadowServer, team: SolvedTeam): Promise<LongestPause> {
  const requests = [
    requestBytes({ path: `${API_PREFIX}/team`, headers: { authorization: `Bearer ${team.secret}` } }),
    requestBytes({ path: `${API_PREFIX}/folders/root`, headers: { authorization: `Bearer ${team.secret}` } }),
  ]
  const target = { host: server.host, port: server.port, requests }
  await readPause(server)
  await load(target, { connections: CONNECTIONS, durationMs: 2_000 })
  const pauseAtRestMs = await readPause(server)

  let isOver = false
  const solving = solveAgain(server, team).finally(() => {
    isOver = true
  })
  const answers: { latencyMs: number }[] = []
  while (!isOver) {
    const round = await load(target, { connections: CONNECTIONS, durationMs: 250 })
    for (const answer of round.answers) answers.push(answer)
  }
  const solves = await solving
  const latencies = answers.map(({ latencyMs }) => latencyMs)
  return {
    pauseMs: await readPause(server),
    pauseAtRestMs,
    requests: latencies.length,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    slowestMs: percentile(latencies, 1),
    solves,
  }
}

async function solveAgain(server: MeadowServer, team: SolvedTeam): Promise<number> {
  const database = await openDatabase({ dataDir: team.dataDir })
  try {
    const store = createSolveStore(database)
    const documents: DocumentId[] = [team.objects.id, team.lists]
    const found = await store.findDocuments(documents)
    for (let round = 0; round < ROUNDS; round++) {
      await store.request(
        found[0]!.team,
        found.map(({ key }) => key),
      )
      for (const id of documents) {
        for (const query of ['?includeGeometry=true', '?format=bimz']) {
          await askUntilSolved(server, solutionRequest(team, { id }, query))
        }
      }
    }
    return ROUNDS * documents.length
  } finally {
    await database.close()
  }
}

async function askUntilSolved(server: MeadowServer, { path, headers }: HttpRequest): Promise<void> {
  for (;;) {
    const { status, body } = await ask(server, { path, headers: { ...headers, prefer: 'wait=30' } })
    if (status === 200) return
    if (status !== 202) throw new Error(`A solve was answered with ${status}: ${body}`)
  }
}

/** The longest since the last look. */
async function readPause(server: MeadowServer): Promise<number> {
  const { body } = await ask(server, { path: '/metrics' })
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(body.toString())?.[1]
  if (seconds === undefined) throw new Error('The server does not tell its pauses.')
  return Number(seconds) * 1000
}
