import { mkdir } from 'node:fs/promises'
import { type BareServer, startBare } from './harness/bare.ts'
import { reportProgress } from './harness/command.ts'
import { startPostgres } from './harness/postgres.ts'
import { runScript } from './harness/processes.ts'
import { describeMachine } from './harness/report.ts'
import type { LiveDocumentFigures } from './live/live-document.ts'
import type { LiveServerFigures } from './live/live-server.ts'
import { measureCommandStarts } from './memory/command-start.ts'
import { measureImports, watchServer } from './memory/memory.ts'
import type { Options } from './options.ts'
import { openPeers } from './peers/open-peers.ts'
import type { Report } from './report.ts'
import { listCases } from './requests/cases.ts'
import { type ColdReads, measureColdReads } from './requests/cold-reads.ts'
import type { Case, Contender } from './requests/contender.ts'
import { MEADOW, MEADOW_ON_POSTGRESQL, type Meadow, openMeadow } from './requests/meadow.ts'
import { type MeasuredCase, measureCase } from './requests/measure.ts'
import { measureSearches } from './requests/search-times.ts'
import { measureExports } from './solutions/exports.ts'
import { measureSolutions } from './solutions/measure-solutions.ts'
import { CACHE_DIR, cacheFolder, openCachedTeam } from './team/team-cache.ts'

const IMPORTED_FILES = [500, 2_000]

/** Runs all chosen measurements. */
export async function run(options: Options): Promise<Report> {
  await mkdir(CACHE_DIR, { recursive: true })
  const solutions = options.solutions ? await measureSolutions(options) : { bodies: [] }
  const exports = options.solutions && options.chosen('exports') ? await measureExports(options) : undefined
  const live = options.teams && options.chosen('live document') ? await measureLiveDocument() : undefined
  const editing = options.teams && options.chosen('live editing') ? await measureEditing() : undefined
  if (options.memory) reportProgress(`Importing ${IMPORTED_FILES.join(' and ')} files`)
  const imports = options.memory ? await measureImports(IMPORTED_FILES) : []
  if (options.memory) reportProgress('Starting commands')
  const commands = options.memory ? await measureCommandStarts() : []
  await using opened = new AsyncDisposableStack()
  const setups: Setup[] = []
  const sizes = options.teams ? options.sizes : []
  for (const documents of sizes) setups.push(opened.use(await openSetup(documents, options)))
  const watched = setups.map(({ meadow }) => watchServer(meadow.team.documents, meadow.withDefaults))
  const bare = opened.use(await startBare())

  const cases: MeasuredCase[] = []
  for (const setup of setups) cases.push(...(await measureCases(setup, bare, options)))
  const meadows = setups.map(({ meadow }) => meadow)
  if (meadows.length > 0) reportProgress('Measuring single searches')
  const searchTimes = await measureSearches(meadows, options.repetitions, options.chosen)
  const servers = options.memory ? watched.map((read) => read()) : []
  const cold = options.cold && sizes.length > 0 ? await measureCold(options) : []
  const { rounds, roundMs, warmUpMs, connections } = options
  const settings = { rounds, roundMs, warmUpMs, connections }
  return {
    machine: describeMachine(),
    settings,
    cases,
    cold,
    searchTimes,
    memory: { servers, imports, commands },
    solutions,
    exports,
    live,
    editing,
  }
}

function measureLiveDocument(): Promise<LiveDocumentFigures> {
  reportProgress('Editing a live document')
  return runScript(new URL('live/live-document.ts', import.meta.url))
}

function measureEditing(): Promise<LiveServerFigures> {
  reportProgress('Editing documents over sockets')
  return runScript(new URL('live/live-server.ts', import.meta.url))
}

const measureCold = async (options: Options): Promise<ColdReads[]> =>
  measureColdReads(await openCachedTeam('sqlite', Math.min(...options.sizes)), options)

async function measureCases(setup: Setup, bare: BareServer, options: Options): Promise<MeasuredCase[]> {
  const { team } = setup.meadow
  const isLargest = team.documents === Math.max(...options.sizes)
  const isChosen = ({ name, atEverySize }: Case) => (isLargest || atEverySize) && options.chosen(name)
  const measured: MeasuredCase[] = []
  for (const { name, manner, aim } of listCases(team).filter(isChosen)) {
    reportProgress(`${team.documents.toLocaleString('en')} documents: ${name}`)
    const { figures, leftOut } = await measureCase(name, setup.contenders, bare, options)
    const { documents } = team
    measured.push({ name, manner, ...(aim !== undefined && { aim }), documents, figures, leftOut })
  }
  return measured
}

/** The running servers with a team of one size. */
interface Setup extends AsyncDisposable {
  readonly meadow: Meadow
  /** The contenders, of which Meadow is the first one. */
  readonly contenders: Contender[]
}

/** Starts Meadow on SQLite with a team of this size and, when chosen, Meadow on PostgreSQL and the peers on the same data. */
async function openSetup(
  documents: number,
  { postgres, peers }: { postgres: boolean; peers: boolean },
): Promise<Setup> {
  await using opened = new AsyncDisposableStack()
  const inSqlite = await openCachedTeam('sqlite', documents)
  const meadow = opened.use(await openMeadow(MEADOW, inSqlite))
  const contenders: Contender[] = [meadow]
  if (postgres) {
    const server = opened.use(await startPostgres(cacheFolder('postgres', documents)))
    const database = { url: server.url, pid: await server.readPid() }
    const inPostgres = await openCachedTeam('postgres', documents, database.url)
    const onPostgres = opened.use(await openMeadow(MEADOW_ON_POSTGRESQL, inPostgres, { database }))
    contenders.push(onPostgres)
    if (peers) {
      const sqlite = { meadow, dataDir: inSqlite.dataDir }
      const opening = openPeers({ sqlite, postgres: { meadow: onPostgres, ...database } })
      contenders.push(...opened.use(await opening).contenders)
    }
  }
  const closing = opened.move()
  return { meadow, contenders, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
