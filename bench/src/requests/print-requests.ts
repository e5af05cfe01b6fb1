import { count, milliseconds, table, verdict } from '../harness/report.ts'
import type { Figures } from '../harness/rounds.ts'
import { COLD_REQUESTS, type ColdReads } from './cold-reads.ts'
import { MEADOW, MEADOW_ON_POSTGRESQL } from './meadow.ts'
import type { MeasuredCase } from './measure.ts'
import type { SearchTime } from './search-times.ts'

/** The aim for searches: the ratio of the largest team to the smallest, and the slowest query in milliseconds. */
const SEARCH_AIM = { times: 3, ms: 5 }

/** Prints the part of the report about requests: Meadow beside the bare server, the peers, and single searches. */
export function printRequests(
  cases: readonly MeasuredCase[],
  cold: readonly ColdReads[],
  searches: readonly SearchTime[],
): string[] {
  return [
    ...(cases.length > 0 ? [`## Requests\n\n${casesTable(cases)}`, ...listClientLimited(cases)] : []),
    ...(cold.length > 0
      ? [`## The first ${count(COLD_REQUESTS)} requests of a process\n\n${coldTable(cold)}`]
      : []),
    ...printPeers(cases),
    ...(searches.length > 0 ? [`## Time of one search\n\n${searchTable(searches)}`] : []),
    ...printShortfalls([...cases.flatMap(findShortfalls), ...searches.flatMap(findSlowSearches)]),
  ]
}

function casesTable(cases: readonly MeasuredCase[]): string {
  const rows = cases.flatMap(({ name, documents, aim, figures: [bare, ...contenders] }) =>
    contenders
      .filter(isMeadow)
      .map((figures) => [
        name,
        count(documents),
        figures.name,
        count(figures.medianPerSecond),
        count(bare!.medianPerSecond),
        verdict(figures.ratio, figures.name === MEADOW ? aim : undefined),
        figures.perSecond.map((value, round) => (value / bare!.perSecond[round]!).toFixed(2)).join(' '),
        milliseconds(figures.p50Ms),
        milliseconds(figures.p99Ms),
        milliseconds(bare!.p99Ms),
        cpu(figures.cpuMicroseconds, bare!.cpuMicroseconds),
        count(figures.meanBodyBytes),
      ]),
  )
  return table(
    [
      'case',
      'documents',
      'server',
      'per s',
      'bare per s',
      'ratio',
      'each round',
      'p50 ms',
      'p99 ms',
      'bare p99',
      'CPU µs (bare)',
      'bytes',
    ],
    rows,
  )
}

const coldTable = (cold: readonly ColdReads[]) =>
  table(
    ['case', 'per s', 'ratio', 'CPU µs (bare)'],
    cold.map(({ name, perSecond, ratio, cpuMicroseconds, bareCpuMicroseconds }) => [
      name,
      count(perSecond),
      ratio.toFixed(2),
      cpu(cpuMicroseconds, bareCpuMicroseconds),
    ]),
  )

const isMeadow = ({ name }: Figures) => name === MEADOW || name === MEADOW_ON_POSTGRESQL

/** Lists the cases in which the requesting process was the bottleneck. */
function listClientLimited(cases: readonly MeasuredCase[]): string[] {
  const names = cases.filter(({ figures }) => figures.some(({ askerShare }) => askerShare > 0.9))
  if (names.length === 0) return []
  return [`The asking process was at its limit in: ${names.map(({ name }) => name).join('; ')}.`]
}

function searchTable(times: readonly SearchTime[]): string {
  const sizes = times[0]!.bySize.map(({ documents }) => count(documents))
  const rows = times.map((time) => {
    const { name, bySize } = time
    const isGood = findSlowSearches(time).length === 0
    return [
      name,
      ...bySize.map(({ p50Ms, slowestMs }) => `${milliseconds(p50Ms)} (${milliseconds(slowestMs)})`),
      bySize.length > 1 ? `${growthOf(time).toFixed(1)}${isGood ? '' : ' ✗'}` : '',
      JSON.stringify(bySize.at(-1)!.slowestQuery),
    ]
  })
  return table(
    ['search', ...sizes.map((size) => `${size}: ms (slowest)`), 'largest : smallest', 'slowest query'],
    rows,
  )
}

const growthOf = ({ bySize }: SearchTime) => bySize.at(-1)!.p50Ms / bySize[0]!.p50Ms

function findShortfalls(measured: MeasuredCase): string[] {
  const { name, documents, aim, figures } = measured
  const own = figures.find((figure) => figure.name === MEADOW)
  const where = `${name}, ${count(documents)} documents`
  const belowBare =
    own && aim !== undefined && own.ratio < aim
      ? [`${where}: ${own.ratio.toFixed(2)} of bare, aim ${aim}`]
      : []
  const belowPeers = comparePeers(measured)
    .filter(({ times, aim }) => aim !== undefined && times < aim)
    .map(
      ({ server, peer, times, aim }) =>
        `${where}: ${server} ${times.toFixed(1)} times ${peer}, aim ${aim} times`,
    )
  return [...belowBare, ...belowPeers]
}

function findSlowSearches(time: SearchTime): string[] {
  const { slowestMs, slowestQuery, documents } = time.bySize.at(-1)!
  const growth = growthOf(time)
  const where = `single search ${time.name}, ${count(documents)} documents`
  return [
    ...(growth > SEARCH_AIM.times
      ? [`${where}: ${growth.toFixed(1)} times the smallest team, aim ${SEARCH_AIM.times} times`]
      : []),
    ...(slowestMs > SEARCH_AIM.ms
      ? [
          `${where}: ${milliseconds(slowestMs)} ms for ${JSON.stringify(slowestQuery)}, aim ${SEARCH_AIM.ms} ms`,
        ]
      : []),
  ]
}

const printShortfalls = (shortfalls: readonly string[]): string[] =>
  shortfalls.length === 0
    ? []
    : [`## What falls short\n\n${shortfalls.map((text) => `- ${text}`).join('\n')}`]

const cpu = (own: number | undefined, bare: number | undefined) =>
  own === undefined || bare === undefined ? '' : `${own.toFixed(0)} (${bare.toFixed(0)})`

/** Meadow beside the fastest of some peers in one case. */
export interface Comparison {
  server: string
  peer: string
  /** Meadow's requests per second divided by those of the peer. */
  times: number
  aim?: number
}

/** The aims for the ratio of Meadow's requests per second to those of the fastest peer, and of what sends files in C. */
const AIMS = { repeated: 10, first: 3, native: 0.35 }
const NATIVE = 'nginx'
/**
 * Whether a server is a plain one, which is compared without an aim: the bare server itself has less than 10 times its
 * requests per second.
 */
const isPlain = ({ name }: { name: string }) => name.startsWith('Fastify + Kysely')
/**
 * The aim for Meadow on PostgreSQL, and the peers that it is compared with, which also make an API from the tables in
 * PostgreSQL.
 */
const POSTGRESQL = { aim: 2, peers: ['PostgREST', 'PostGraphile'] }

/**
 * Compares Meadow on SQLite with the fastest peer, and Meadow on PostgreSQL with its own peers. There is no comparison
 * where there is no peer.
 */
export function comparePeers({ name, manner, figures }: MeasuredCase): Comparison[] {
  const own = ['bare', MEADOW, MEADOW_ON_POSTGRESQL]
  const peers = figures.filter((figure) => !own.includes(figure.name))
  const compare = (server: string, among: typeof peers, aim: number | undefined): Comparison[] => {
    const [fastest] = among.toSorted((a, b) => b.medianPerSecond - a.medianPerSecond)
    const meadow = figures.find((figure) => figure.name === server)
    if (!fastest || !meadow) return []
    const times = meadow.medianPerSecond / fastest.medianPerSecond
    return [{ server, peer: fastest.name, times, ...(aim !== undefined && { aim }) }]
  }
  const isSearch = name.startsWith('search ')
  const aim = manner === 'repeated' ? AIMS.repeated : manner === 'first' && !isSearch ? AIMS.first : undefined
  const onPostgresql = peers.filter((peer) => POSTGRESQL.peers.includes(peer.name))
  return [
    ...compare(
      MEADOW,
      peers.filter((peer) => !isPlain(peer) && peer.name !== NATIVE),
      aim,
    ),
    ...compare(
      MEADOW,
      peers.filter((peer) => peer.name === NATIVE),
      manner === 'first' ? undefined : AIMS.native,
    ),
    ...compare(MEADOW, peers.filter(isPlain), undefined),
    ...compare(MEADOW_ON_POSTGRESQL, onPostgresql, manner === 'unchanged' ? undefined : POSTGRESQL.aim),
  ]
}

/**
 * Prints the requests per second of every server, with the processor time of one request, and the servers that are left
 * out.
 */
export function printPeers(cases: readonly MeasuredCase[]): string[] {
  const compared = cases.filter((measured) => comparePeers(measured).length > 0)
  if (compared.length === 0) return []
  const names = [...new Set(compared.flatMap(({ figures }) => figures.map(({ name }) => name)))]
  const rows = compared.map((measured) => [
    measured.name,
    count(measured.documents),
    ...names.map((name) => {
      const found = measured.figures.find((figures) => figures.name === name)
      if (!found) return ''
      const cpu = found.cpuMicroseconds
      return `${count(found.medianPerSecond)}${cpu === undefined ? '' : ` (${count(cpu)})`}`
    }),
    comparePeers(measured).map(describe).join('; '),
  ])
  return [
    '## Beside peers\n\nRequests per second, and in parentheses the processor time of one in µs, that of PostgreSQL included.\n\n' +
      table(['case', 'documents', ...names, 'Meadow : fastest'], rows),
    ...listLeftOut(compared),
  ]
}

function describe({ server, peer, times, aim }: Comparison): string {
  const mark = aim === undefined ? '' : times >= aim ? ` ✓ ${aim}` : ` ✗ ${aim}`
  return `${server === MEADOW ? '' : 'on PostgreSQL '}${times.toFixed(1)}${mark} (${peer})`
}

function listLeftOut(cases: readonly MeasuredCase[]): string[] {
  const casesByReason = new Map<string, Set<string>>()
  for (const { name, leftOut } of cases) {
    for (const { name: peer, reason } of leftOut) {
      const text = `${peer}, since ${reason}`
      casesByReason.set(text, (casesByReason.get(text) ?? new Set()).add(name))
    }
  }
  const lines = [...casesByReason].map(([text, names]) => `- ${[...names].join('; ')}: ${text}`)
  return lines.length === 0 ? [] : [`Left out:\n\n${lines.join('\n')}`]
}
