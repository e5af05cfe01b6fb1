import { API_PREFIX, type DocumentId } from '@meadow/contract'
import { load } from '../harness/load.ts'
import type { MeadowServer } from '../harness/meadow.ts'
import { aimed, count, milliseconds } from '../harness/report.ts'
import { type HttpRequest, requestBytes, sendRequest } from '../harness/request.ts'
import { percentile } from '../harness/statistics.ts'
import { openStores } from '../harness/teams.ts'
import { solutionRequest } from './measure-bodies.ts'
import type { SolvedTeam } from './solved-team.ts'

/** Latencies and pauses of the event loop while documents are solved and model files read, in milliseconds. */
export interface LongestPause {
  /** The longest pause of the event loop, from the server's `/metrics`. */
  pauseMs: number
  /** The longest pause under the same load without solves. */
  pauseAtRestMs: number
  requests: number
  p50Ms: number
  p99Ms: number
  slowestMs: number
  solves: number
}

/** The aim for the longest pause in milliseconds. */
const AIM_MS = 50
const ROUNDS = 3
const CONNECTIONS = 8

/** Puts load on a server while a million values and thousands of objects are solved, and each solution's geometry is read. */
export async function measureLongestPause(server: MeadowServer, team: SolvedTeam): Promise<LongestPause> {
  const headers = { authorization: `Bearer ${team.token}` }
  const requests = [
    requestBytes({ path: `${API_PREFIX}/team`, headers }),
    requestBytes({ path: `${API_PREFIX}/folders/root`, headers }),
  ]
  const target = { host: server.host, port: server.port, requests }
  await readPause(server)
  await load(target, { connections: CONNECTIONS, durationMs: 2_000 })
  const pauseAtRestMs = await readPause(server)

  let isOver = false
  const solving = solveRepeatedly(server, team).finally(() => {
    isOver = true
  })
  const responses: { latencyMs: number }[] = []
  while (!isOver) {
    const round = await load(target, { connections: CONNECTIONS, durationMs: 250 })
    responses.push(...round.responses)
  }
  const solves = await solving
  const latencies = responses.map(({ latencyMs }) => latencyMs)
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

async function solveRepeatedly(server: MeadowServer, team: SolvedTeam): Promise<number> {
  await using stores = await openStores(team)
  const { solves } = stores
  const documents: DocumentId[] = [team.objects.id, team.lists]
  const found = await solves.findDocuments(documents)
  const keys = found.map(({ key }) => key)
  for (let round = 0; round < ROUNDS; round++) {
    await solves.request(found[0]!.team, keys)
    for (const id of documents) {
      for (const query of ['?includeGeometry=true', '?format=bimz']) {
        await waitForSolution(server, solutionRequest(team, { id }, query))
      }
    }
  }
  return ROUNDS * documents.length
}

async function waitForSolution(server: MeadowServer, { path, headers }: HttpRequest): Promise<void> {
  for (;;) {
    const { status, body } = await sendRequest(server, { path, headers: { ...headers, prefer: 'wait=30' } })
    if (status === 200) return
    if (status !== 202) throw new Error(`A solve was answered with ${status}: ${body}`)
  }
}

/** Reads the longest pause since the last call, in milliseconds. */
async function readPause(server: MeadowServer): Promise<number> {
  const { body } = await sendRequest(server, { path: '/metrics' })
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(body.toString())?.[1]
  if (seconds === undefined) throw new Error('The server does not report its pauses.')
  return Number(seconds) * 1000
}

export function printPause({
  pauseMs,
  pauseAtRestMs,
  requests,
  p50Ms,
  p99Ms,
  slowestMs,
  solves,
}: LongestPause): string {
  return (
    `${count(requests)} requests while ${solves} documents were solved and their geometry read: the event loop's longest ` +
    `pause was ${milliseconds(pauseMs)} ms (aim: ${aimed(AIM_MS, pauseMs <= AIM_MS)}; ` +
    `${milliseconds(pauseAtRestMs)} ms with nothing to solve); answers took ${milliseconds(p50Ms)} ms, one in a hundred ` +
    `${milliseconds(p99Ms)} ms, the slowest ${milliseconds(slowestMs)} ms.`
  )
}
