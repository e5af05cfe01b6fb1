import { join } from 'node:path'
import { type BareServer, startBare } from '../harness/bare.ts'
import type { BareResponse } from '../harness/bare-server.ts'
import { reportProgress } from '../harness/command.ts'
import { startMeadow } from '../harness/meadow.ts'
import { readTreeCpuMs } from '../harness/process-figures.ts'
import type { ServerProcess } from '../harness/processes.ts'
import { type HttpRequest, sendRequest } from '../harness/request.ts'
import { likeSample, loadChecked } from '../harness/rounds.ts'
import { median } from '../harness/statistics.ts'
import type { CachedTeam } from '../team/team-cache.ts'
import { listCases } from './cases.ts'
import { requestsOfReads } from './meadow.ts'

/** What the first requests of a new process cost, beside those of a new bare server. Medians of all rounds. */
export interface ColdReads {
  name: string
  perSecond: number
  /** The requests per second divided by those of the bare server in the same round. */
  ratio: number
  /** The processor time of one request; undefined where the system does not report it. */
  cpuMicroseconds: number | undefined
  bareCpuMicroseconds: number | undefined
}

interface ColdRound {
  perSecond: number
  cpuMicroseconds: number | undefined
}

/** How many requests a new process is sent: most of its code is not optimised before their end. */
export const COLD_REQUESTS = 1_000

/** Measures the first reads of servers without a response cache that were just started, on the same team. */
export async function measureColdReads(
  { team, dataDir }: CachedTeam,
  { rounds, connections, chosen }: { rounds: number; connections: number; chosen(name: string): boolean },
): Promise<ColdReads[]> {
  const start = () => startMeadow({ dataDir, logFile: join(dataDir, '..', 'cold.log'), cacheMb: 0 })
  const measured: ColdReads[] = []
  for (const { name, reads, manner } of listCases(team)) {
    if (manner !== 'first' || name.startsWith('search') || !chosen(`${name}, cold`)) continue
    reportProgress(`${name}, cold`)
    const requests = requestsOfReads(team, reads)
    const like = await readSample(start, requests)
    const own: ColdRound[] = []
    const bare: ColdRound[] = []
    for (let round = 0; round < rounds; round++) {
      bare.push(await measureRound(() => startBareLike(like), requests, connections))
      own.push(await measureRound(start, requests, connections))
    }
    measured.push({
      name,
      perSecond: median(own.map(({ perSecond }) => perSecond)),
      ratio: median(own.map(({ perSecond }, round) => perSecond / bare[round]!.perSecond)),
      cpuMicroseconds: medianCpu(own),
      bareCpuMicroseconds: medianCpu(bare),
    })
  }
  return measured
}

/** Returns the response of a server that is not measured. */
async function readSample(
  start: () => Promise<ServerProcess>,
  requests: HttpRequest[],
): Promise<BareResponse> {
  await using server = await start()
  const samples = await Promise.all(requests.map((request) => sendRequest(server, request)))
  const bytes = samples.reduce((sum, { body }) => sum + body.length, 0)
  return likeSample(samples[0]!, Math.round(bytes / samples.length))
}

async function startBareLike(response: BareResponse): Promise<BareServer> {
  const bare = await startBare()
  await bare.setResponse(response)
  return bare
}

async function measureRound(
  start: () => Promise<ServerProcess>,
  requests: HttpRequest[],
  connections: number,
): Promise<ColdRound> {
  await using server = await start()
  const { host, port, pid } = server
  const cpuBefore = readTreeCpuMs(pid)
  const options = { connections, durationMs: Number.POSITIVE_INFINITY, maxRequests: COLD_REQUESTS }
  const { perSecond, responses } = await loadChecked('A new server', { host, port, requests }, 200, options)
  const cpuAfter = readTreeCpuMs(pid)
  const isKnown = cpuBefore !== undefined && cpuAfter !== undefined
  return {
    perSecond,
    cpuMicroseconds: isKnown ? ((cpuAfter - cpuBefore) * 1000) / responses.length : undefined,
  }
}

function medianCpu(rounds: readonly ColdRound[]): number | undefined {
  const known = rounds.map(({ cpuMicroseconds }) => cpuMicroseconds).filter((cpu) => cpu !== undefined)
  return known.length === 0 ? undefined : median(known)
}
