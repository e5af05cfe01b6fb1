import { count, type Machine, mark, megabytes, printMachine, table } from './harness/report.ts'
import type { LiveDocumentFigures } from './live/live-document.ts'
import type { LiveServerFigures } from './live/live-server.ts'
import { printLiveDocument, printLiveServer } from './live/print-live.ts'
import type { CommandStart } from './memory/command-start.ts'
import type { ImportMemory, ServerMemory } from './memory/memory.ts'
import type { ColdReads } from './requests/cold-reads.ts'
import type { MeasuredCase } from './requests/measure.ts'
import { printRequests } from './requests/print-requests.ts'
import type { SearchTime } from './requests/search-times.ts'
import { type ExportFigures, printExports } from './solutions/exports.ts'
import type { SolutionFigures } from './solutions/measure-solutions.ts'
import { printSolutions } from './solutions/print-solutions.ts'

/** All results of a run. `--json` prints this object. */
export interface Report {
  machine: Machine
  settings: { rounds: number; roundMs: number; warmUpMs: number; connections: number }
  cases: MeasuredCase[]
  cold: ColdReads[]
  searchTimes: SearchTime[]
  memory: { servers: ServerMemory[]; imports: ImportMemory[]; commands: CommandStart[] }
  solutions: SolutionFigures
  exports: ExportFigures | undefined
  live: LiveDocumentFigures | undefined
  editing: LiveServerFigures | undefined
}

/** Formats the report as Markdown. */
export function printReport({
  machine,
  settings,
  cases,
  cold,
  searchTimes,
  memory,
  solutions,
  exports,
  live,
  editing,
}: Report): string {
  return [
    `${printMachine(machine)}, ${machine.takenAt.slice(0, 16)}Z. ` +
      `${settings.rounds} rounds of ${settings.roundMs} ms for each server in turn, after ${settings.warmUpMs} ms to warm up, ` +
      `${settings.connections} connections, one process that asks.`,
    ...printRequests(cases, cold, searchTimes),
    ...(memory.servers.length > 0
      ? [`## The server's memory and start\n\n${serversTable(memory.servers)}`]
      : []),
    ...(memory.commands.length > 0 ? [`## Commands\n\n${commandsTable(memory.commands)}`] : []),
    ...(memory.imports.length > 0 ? [`## Importing\n\n${importsTable(memory.imports)}`] : []),
    ...printSolutions(solutions),
    ...(exports ? [printExports(exports)] : []),
    ...(live ? [printLiveDocument(live)] : []),
    ...(editing ? [printLiveServer(editing)] : []),
  ].join('\n\n')
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

/** The aim for each command, in milliseconds of processor time. */
const START_AIM_MS = 250

const commandsTable = (commands: readonly CommandStart[]) =>
  table(
    ['command', `CPU ms (aim: ${START_AIM_MS})`, 'ms', 'MB at most'],
    commands.map(({ command, cpuMs, ms, peak }) => [
      command,
      `${count(cpuMs)} ${mark(cpuMs <= START_AIM_MS)}`,
      count(ms),
      megabytes(peak),
    ]),
  )
