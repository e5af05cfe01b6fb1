import type { Contender } from './contender.ts'
import { load } from './load/load.ts'
import { requestBytes } from './load/request.ts'
import { listSearches } from './searches.ts'
import { median, percentile } from './statistics.ts'

/** How long searches of one sort take, one at a time. */
export interface SearchTime {
  name: string
  /** By the number of documents in the team, the fewest first. */
  bySize: {
    documents: number
    /** Half of the different queries take less; each query counts with the median of its repetitions. */
    p50Ms: number
    /** Of the query that takes longest. */
    slowestMs: number
    slowestQuery: string
  }[]
}

/** Takes the time of every sort of search on teams of several sizes, in turn, over one connection. */
export async function takeSearchTimes(
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
  /** By query: one time for each repetition. */
  latenciesMs: number[][]
}

function prepare(name: string, meadow: Contender): Run {
  const { team } = meadow
  const { reads } = listSearches(team).find((kind) => kind.name === name)!
  const { host, port, requests } = meadow.ask({ name, reads, manner: 'first' })!
  return {
    documents: team.documents,
    host,
    port,
    requests: requests.map(requestBytes),
    queries: reads.map(({ q }) => q),
    latenciesMs: reads.map(() => []),
  }
}

/** Asks every query once. */
async function repeat(run: Run, counts: boolean): Promise<void> {
  const once = { connections: 1, durationMs: 60_000, maxRequests: run.requests.length }
  const { answers } = await load(run, once)
  for (const { request, status, latencyMs } of answers) {
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
