import { count, milliseconds, table, verdict } from '../harness/report.ts'
import type { Figures } from '../harness/rounds.ts'
import { comparePeers, printPeers } from './compare-peers.ts'
import { MEADOW, MEADOW_ON_POSTGRESQL } from './meadow.ts'
import type { MeasuredCase } from './measure.ts'
import type { SearchTime } from './search-times.ts'

/** The aim for searches: the ratio of the largest team to the smallest, and the slowest query in milliseconds. */
const SEARCH_AIM = { times: 3, ms: 5 }

/** The part of the report about requests: Meadow beside the bare server, the peers, and single searches. */
export function printRequests(cases: readonly MeasuredCase[], searches: readonly SearchTime[]): string[] {
  return [
    ...(cases.length > 0 ? [`## Requests\n\n${casesTable(cases)}`, ...listClientLimited(cases)] : []),
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
