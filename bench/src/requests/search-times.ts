import { load } from '../harness/load.ts'
import { requestBytes } from '../harness/request.ts'
import { median, percentile } from '../harness/statistics.ts'
import { listSearches } from './cases.ts'
import { type Contender, requestsOf } from './contender.ts'

/** The latency of searches of one kind, one at a time. */
export interface SearchTime {
  name: string
  /** The times by the size of the team, the smallest first. */
  bySize: {
    documents: number
    /** The median over the queries, each with the median of its repetitions. */
    p50Ms: number
    /** The slowest query, with the median of its repetitions. */
    slowestMs: number
    slowestQuery: string
  }[]
}

/** Measures every kind of search on teams of several sizes, interleaved, over one connection. */
export async function measureSearches(
  meadows: readonly Contender[],
  repetitions: number,
  chosen: (name: string) => boolean,
): Promise<SearchTime[]> {
  const times: SearchTime[] = []
  const [any] = meadows
  for (const { name } of any ? listSearches(any.team) : []) {
    if (!chosen(`search ${name}`)) continue
    const runs = meadows.map((meadow) => prepare(name, meadow))
    for (let repetition = -1; repetition < repetitions; repetition++) {
      for (const run of runs) await repeat(run, repetition >= 0)
    }
    times.push({ name, bySize: runs.map(summarise) })
  }
  return times
}

interface Run {
  documents: number
  host: string
  port: number
  requests: Buffer[]
  queries: string[]
  /** The latencies of each query, one per repetition. */
  latenciesMs: number[][]
}

function prepare(name: string, meadow: Contender): Run {
  const { team } = meadow
  const { reads } = listSearches(team).find((kind) => kind.name === name)!
  const { host, port, requests } = requestsOf(meadow, { name, reads, manner: 'first' })
  return {
    documents: team.documents,
    host,
    port,
    requests: requests.map(requestBytes),
    queries: reads.map(({ q }) => q),
    latenciesMs: reads.map(() => []),
  }
}

/** Sends every query once. */
async function repeat(run: Run, counts: boolean): Promise<void> {
  const once = { connections: 1, durationMs: 60_000, maxRequests: run.requests.length }
  const { responses } = await load(run, once)
  for (const { request, status, latencyMs } of responses) {
    if (status !== 200) throw new Error(`A search was answered with ${status}: ${run.queries[request]}`)
    if (counts) run.latenciesMs[request]!.push(latencyMs)
  }
}

function summarise({ documents, queries, latenciesMs }: Run): SearchTime['bySize'][number] {
  const medians = latenciesMs.map(median)
  const slowestMs = Math.max(...medians)
  return {
    documents,
    p50Ms: percentile(medians, 0.5),
    slowestMs,
    slowestQuery: queries[medians.indexOf(slowestMs)]!,
  }
}
