import { mkdir } from 'node:fs/promises'
import { type Case, listCases } from './cases.ts'
import { describeMachine } from './machine.ts'
import { measureCase } from './measure.ts'
import { measureImports } from './memory/import-memory.ts'
import { watchServer } from './memory/server-memory.ts'
import type { Options } from './options.ts'
import type { MeasuredCase, Report } from './report.ts'
import { say } from './say.ts'
import { takeSearchTimes } from './search-times.ts'
import { type BareServer, startBare } from './servers/start-bare.ts'
import { openStand, type Stand } from './stand.ts'
import { KEPT } from './team/kept-teams.ts'

const FILES_IMPORTED = [500, 2_000]

/** Does everything that was asked for. */
export async function run(options: Options): Promise<Report> {
  await mkdir(KEPT, { recursive: true })
  if (options.memory) say(`Importing ${FILES_IMPORTED.join(' and ')} files`)
  const imports = options.memory ? await measureImports(FILES_IMPORTED) : []
  await using opened = new AsyncDisposableStack()
  const stands: Stand[] = []
  for (const documents of options.sizes) stands.push(opened.use(await openStand(documents, options)))
  const watched = stands.map(({ meadow }) => watchServer(meadow.team.documents, meadow.withDefaults))
  const bare = opened.use(await startBare())

  const cases: MeasuredCase[] = []
  for (const stand of stands) cases.push(...(await measureStand(stand, bare, options)))
  say('Taking the time of single searches')
  const meadows = stands.map(({ meadow }) => meadow)
  const searchTimes = await takeSearchTimes(meadows, options.repetitions, options.chosen)
  const servers = options.memory ? watched.map((complete) => complete()) : []
  const { rounds, roundMs, connections } = options
  const settings = { rounds, roundMs, connections }
  return { machine: describeMachine(), settings, cases, searchTimes, memory: { servers, imports } }
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
