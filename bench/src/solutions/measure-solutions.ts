import { join } from 'node:path'
import { createSolutionStore } from '@meadow/server/src/features/solutions/solutions.store.ts'
import { findTeam } from '@meadow/server/src/team/teams.ts'
import { openFolder, reportProgress } from '../harness/command.ts'
import { type MeadowServer, startMeadow } from '../harness/meadow.ts'
import { runScript } from '../harness/processes.ts'
import { sendRequest } from '../harness/request.ts'
import type { MeasureOptions } from '../harness/rounds.ts'
import { openStores } from '../harness/teams.ts'
import { type LongestPause, measureLongestPause } from './longest-pause.ts'
import { type MeasuredBody, measureBodies, solutionRequest } from './measure-bodies.ts'
import type { ProcessCost } from './process-cost.ts'
import type { GeometryReading } from './read-geometry.ts'
import { measureSlowReaders, type SlowReaders } from './slow-readers.ts'
import type { SolveCost } from './solve-cost.ts'
import { blobPath, buildSolvedTeam, type SolvedTeam } from './solved-team.ts'
import type { SolverGrowth } from './solver-growth.ts'

/** The first request of a body with geometry, which creates it, in milliseconds. */
interface FirstGeometry {
  firstRequestMs: number
  firstByteMs: number
}

/** All results about solves and solutions. */
export interface SolutionFigures {
  bodies: MeasuredBody[]
  slowReaders?: SlowReaders
  geometry?: GeometryReading & FirstGeometry
  solver?: SolverGrowth[]
  /** Undefined on systems other than Linux. */
  solves?: SolveCost[]
  processes?: ProcessCost
  pause?: LongestPause
}

export interface SolutionOptions extends MeasureOptions {
  chosen: (name: string) => boolean
}

/** Measures the parts chosen by name, with a server and a new team. */
export async function measureSolutions(options: SolutionOptions): Promise<SolutionFigures> {
  const { chosen } = options
  const figures: SolutionFigures = { bodies: [] }
  if (chosen('solver')) {
    reportProgress('Solving graphs of several sizes')
    figures.solver = await runScript<SolverGrowth[]>(new URL('solver-growth.ts', import.meta.url))
  }
  if (chosen('solve cost') && process.platform === 'linux') {
    reportProgress('Solving documents from request to result')
    figures.solves = await runScript<SolveCost[]>(new URL('solve-cost.ts', import.meta.url))
  }
  if (chosen('processes')) {
    reportProgress('Starting processes and threads')
    figures.processes = await runScript<ProcessCost>(new URL('process-cost.ts', import.meta.url))
  }
  if (!['values', 'geometry', 'slow readers', 'pause'].some(chosen)) return figures
  await using folder = await openFolder('bench-solutions')
  reportProgress('Creating solutions of 1 MB, of 100 MB and of thousands of objects')
  const team = await buildSolvedTeam(join(folder.path, 'data'))
  await using meadow = await startMeadow({ dataDir: team.dataDir, logFile: join(folder.path, 'server.log') })
  return { ...figures, ...(await measureServer(meadow, team, options)) }
}

async function measureServer(
  meadow: MeadowServer,
  team: SolvedTeam,
  options: SolutionOptions,
): Promise<SolutionFigures> {
  const { chosen } = options
  const figures: SolutionFigures = { bodies: [] }
  if (chosen('slow readers')) {
    reportProgress('Sending 100 MB to twenty slow readers')
    const request = solutionRequest(team, team.values100Mb)
    await sendRequest(meadow, solutionRequest(team, team.values1Mb))
    figures.slowReaders = await measureSlowReaders(meadow, request, 100 * 2 ** 20)
  }
  const first = await timeFirstGeometry(meadow, team)
  if (chosen('geometry')) {
    reportProgress('Reading the geometry of a model file')
    const reading = await runScript<GeometryReading>(
      new URL('read-geometry.ts', import.meta.url),
      JSON.stringify(team.objects.model),
    )
    figures.geometry = { ...reading, ...first }
  }
  reportProgress('Sending the bodies of solutions')
  figures.bodies = await measureBodies(meadow, team, await findGeometryBody(team), options)
  if (chosen('pause')) {
    reportProgress('Solving under load')
    figures.pause = await measureLongestPause(meadow, team)
  }
  return figures
}

async function timeFirstGeometry(meadow: MeadowServer, team: SolvedTeam): Promise<FirstGeometry> {
  const request = solutionRequest(team, team.objects, '?includeGeometry=true')
  const startedAt = performance.now()
  const { status, firstByteMs } = await sendRequest(meadow, request)
  if (status !== 200) throw new Error(`The solution with geometry was answered with ${status}.`)
  return { firstRequestMs: performance.now() - startedAt, firstByteMs: firstByteMs! }
}

/** Resolves with the path of the created body. */
async function findGeometryBody({ dataDir, id, objects }: SolvedTeam): Promise<string> {
  await using stores = await openStores({ dataDir })
  const team = (await findTeam(stores.database.read, id))!
  const found = await createSolutionStore(stores.database).find(team.key, objects.id)
  const forms = found?.state === 'solved' ? found.solution.geometry : undefined
  if (!forms) throw new Error('The body with geometry was not stored.')
  return blobPath(dataDir, forms.gzip)
}
