import type { ExportFigures } from './exports/measure-exports.ts'
import { printExports } from './exports/print-exports.ts'
import type { LiveDocumentFigures } from './live/live-document.ts'
import { type LiveEditingFigures, printLiveDocument, printLiveServer } from './live/print-live.ts'
import type { ImportMemory } from './memory/import-memory.ts'
import type { ServerMemory } from './memory/server-memory.ts'
import type { Case } from './requests/contender.ts'
import type { Figures } from './requests/runner.ts'
import type { SearchTime } from './requests/search-times.ts'
import { count, megabytes, milliseconds, table, verdict } from './shared/format.ts'
import type { Machine } from './shared/machine.ts'
import type { SolutionFigures } from './solutions/measure-solutions.ts'
import { printSolutions } from './solutions/print-solutions.ts'

/** All results of a run. `--json` prints this object. */
export interface Report {
  machine: Machine
  settings: { rounds: number; roundMs: number; connections: number }
  cases: MeasuredCase[]
  searchTimes: SearchTime[]
  memory: { servers: ServerMemory[]; imports: ImportMemory[] }
  solutions: SolutionFigures
  exports: ExportFigures | undefined
  live: LiveDocumentFigures | undefined
  editing: LiveEditingFigures | undefined
}

export interface MeasuredCase extends Pick<Case, 'name' | 'manner' | 'aim'> {
  documents: number
  /** The bare server, then each contender. */
  figures: Figures[]
}

/** The target for searches: the ratio of the largest team to the smallest, and the slowest query in milliseconds. */
const SEARCH_AIM = { times: 3, ms: 5 }

/** The report as Markdown. */
export function printReport({
  machine,
  settings,
  cases,
  searchTimes,
  memory,
  solutions,
  exports,
  live,
  editing,
}: Report): string {
  const { commit, node, processor, cores, memoryGb, system, takenAt } = machine
  return [
    `Commit ${commit}, Node ${node}, ${cores} × ${processor}, ${memoryGb} GB, ${system}, ${takenAt.slice(0, 16)}Z. ` +
      `${settings.rounds} rounds of ${settings.roundMs} ms for each server in turn, ` +
      `${settings.connections} connections, one process that asks.`,
    ...(cases.length > 0 ? [`## Requests\n\n${casesTable(cases)}`, ...listClientLimited(cases)] : []),
    ...(searchTimes.length > 0 ? [`## Time of one search\n\n${searchTable(searchTimes)}`] : []),
    ...(memory.servers.length > 0
      ? [`## The server's memory and start\n\n${serversTable(memory.servers)}`]
      : []),
    ...(memory.imports.length > 0 ? [`## Importing\n\n${importsTable(memory.imports)}`] : []),
    ...printSolutions(solutions),
    ...(exports ? [printExports(exports)] : []),
    ...(live ? [printLiveDocument(live)] : []),
    ...(editing ? [printLiveServer(editing)] : []),
  ].join('\n\n')
}

function casesTable(cases: readonly MeasuredCase[]): string {
  const rows = cases.flatMap(({ name, documents, aim, figures: [bare, ...contenders] }) =>
    contenders.map((figures) => [
      name,
      count(documents),
      figures.name,
      count(figures.medianPerSecond),
      count(bare!.medianPerSecond),
      verdict(figures.ratio, figures.name === 'Meadow' ? aim : undefined),
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

/** Lists the cases in which the requesting process was the bottleneck. */
function listClientLimited(cases: readonly MeasuredCase[]): string[] {
  const names = cases.filter(({ figures }) => figures.some(({ askerShare }) => askerShare > 0.9))
  if (names.length === 0) return []
  return [`The asking process was at its limit in: ${names.map(({ name }) => name).join('; ')}.`]
}

function searchTable(times: readonly SearchTime[]): string {
  const sizes = times[0]!.bySize.map(({ documents }) => count(documents))
  const rows = times.map(({ name, bySize }) => {
    const [smallest, largest] = [bySize[0]!, bySize.at(-1)!]
    const factor = largest.p50Ms / smallest.p50Ms
    const isGood = factor <= SEARCH_AIM.times && largest.slowestMs <= SEARCH_AIM.ms
    return [
      name,
      ...bySize.map(({ p50Ms, slowestMs }) => `${milliseconds(p50Ms)} (${milliseconds(slowestMs)})`),
      bySize.length > 1 ? `${factor.toFixed(1)}${isGood ? '' : ' ✗'}` : '',
      JSON.stringify(largest.slowestQuery),
    ]
  })
  return table(
    ['search', ...sizes.map((size) => `${size}: ms (slowest)`), 'largest : smallest', 'slowest query'],
    rows,
  )
}

const serversTable = (servers: readonly ServerMemory[]) =>
  table(
    ['documents', 'start ms', 'MB after start', 'MB after load', 'MB at most'],
    servers.map(({ documents, startMs, afterStart, afterLoad, peak }) => [
      count(documents),
      count(startMs),
      megabytes(afterStart),
      megabytes(afterLoad),
      megabytes(peak),
    ]),
  )

const importsTable = (imports: readonly ImportMemory[]) =>
  table(
    ['files', 'run', 'seconds', 'files per s', 'MB at most'],
    imports.map(({ files, run, seconds, peak }) => [
      count(files),
      run,
      seconds.toFixed(1),
      count(files / seconds),
      megabytes(peak),
    ]),
  )

const cpu = (own: number | undefined, bare: number | undefined) =>
  own === undefined || bare === undefined ? '' : `${own.toFixed(0)} (${bare.toFixed(0)})`
