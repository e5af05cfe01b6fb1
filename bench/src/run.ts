import { mkdir } from 'node:fs/promises'
import { type Case, listCases } from './cases.ts'
import { measureExports } from './exports/measure-exports.ts'
import type { LiveDocumentFigures } from './live/live-document.ts'
import type { LiveServerFigures } from './live/live-server.ts'
import type { LiveEditingFigures } from './live/print-live-server.ts'
import { describeMachine } from './machine.ts'
import { measureCase } from './measure.ts'
import { measureImports } from './memory/import-memory.ts'
import { watchServer } from './memory/server-memory.ts'
import type { Options } from './options.ts'
import type { MeasuredCase, Report } from './report.ts'
import { say } from './say.ts'
import { takeSearchTimes } from './search-times.ts'
import { type BareServer, startBare } from './servers/start-bare.ts'
import { runChild } from './solutions/child.ts'
import { measureSolutions } from './solutions/measure-solutions.ts'
import { openStand, type Stand } from './stand.ts'
import { KEPT } from './team/kept-teams.ts'

const FILES_IMPORTED = [500, 2_000]

/** Does everything that was asked for. */
export async function run(options: Options): Promise<Report> {
  await mkdir(KEPT, { recursive: true })
  const solutions = options.solutions ? await measureSolutions(options) : { bodies: [] }
  const exports = options.solutions && options.chosen('exports') ? await measureExports(options) : undefined
  const live = options.teams && options.chosen('live document') ? await measureLiveDocument() : undefined
  const editing = options.teams && options.chosen('live editing') ? await measureEditing() : undefined
  if (options.memory) say(`Importing ${FILES_IMPORTED.join(' and ')} files`)
  const imports = options.memory ? await measureImports(FILES_IMPORTED) : []
  await using opened = new AsyncDisposableStack()
  const stands: Stand[] = []
  const sizes = options.teams ? options.sizes : []
  for (const documents of sizes) stands.push(opened.use(await openStand(documents, options)))
  const watched = stands.map(({ meadow }) => watchServer(meadow.team.documents, meadow.withDefaults))
  const bare = opened.use(await startBare())

  const cases: MeasuredCase[] = []
  for (const stand of stands) cases.push(...(await measureStand(stand, bare, options)))
  const meadows = stands.map(({ meadow }) => meadow)
  if (meadows.length > 0) say('Taking the time of single searches')
  const searchTimes = await takeSearchTimes(meadows, options.repetitions, options.chosen)
  const servers = options.memory ? watched.map((complete) => complete()) : []
  const { rounds, roundMs, connections } = options
  const settings = { rounds, roundMs, connections }
  return {
    machine: describeMachine(),
    settings,
    cases,
    searchTimes,
    memory: { servers, imports },
    solutions,
    exports,
    live,
    editing,
  }
}

function measureLiveDocument(): Promise<LiveDocumentFigures> {
  say('Editing a live document')
  return runChild('../live/live-document.ts')
}

async function measureEditing(): Promise<LiveEditingFigures> {
  say('Editing documents over sockets')
  const server = await runChild<LiveServerFigures>('../live/live-server.ts')
  say('Killing a server while it is edited')
  return { server, crashes: await runChild('../live/crashes.ts') }
}

async function measureStand(stand: Stand, bare: BareServer, options: Options): Promise<MeasuredCase[]> {
  const { team } = stand.meadow
  const isLargest = team.documents === Math.max(...options.sizes)
  const isWanted = ({ name, atEverySize }: Case) => (isLargest || atEverySize) && options.chosen(name)
  const measured: MeasuredCase[] = []
  for (const { name, manner, aim } of listCases(team).filter(isWanted)) {
    say(`${team.documents.toLocaleString('en')} documents: ${name}`)
    const figures = await measureCase(name, stand.contenders, bare, options)
    measured.push({ name, manner, ...(aim !== undefined && { aim }), documents: team.documents, figures })
  }
  return measured
}
