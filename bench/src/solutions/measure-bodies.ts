import { API_PREFIX } from '@meadow/contract'
import { startBare } from '../harness/bare.ts'
import type { MeadowServer } from '../harness/meadow.ts'
import { count, megabytes, milliseconds, table, verdict } from '../harness/report.ts'
import type { HttpRequest } from '../harness/request.ts'
import {
  type Figures,
  type MeasureOptions,
  prepareBare,
  prepareRunner,
  runInterleaved,
} from '../harness/rounds.ts'
import type { SolvedDocument, SolvedTeam } from './solved-team.ts'

/** The speed of a solution's body, compared with a bare server that sends the same file. */
export interface MeasuredBody {
  name: string
  /** The target ratio to the bare server's speed. */
  aim?: number
  /** The figures of a bare server that writes buffers, of one that uses a stream, and of Meadow. */
  figures: Figures[]
}

interface BodyCase extends Omit<MeasuredBody, 'figures'> {
  path: string
  document: SolvedDocument
  /** The number of connections, which is smaller for a large body. */
  connections?: number
}

/** Lists the cases. `geometryPath` is the file of the body with geometry, which an earlier request created. */
const listBodyCases = ({ values1Mb, values100Mb, objects }: SolvedTeam, geometryPath: string): BodyCase[] => [
  { name: 'values 1 MB', document: values1Mb, path: '', aim: 0.9 },
  { name: 'values 100 MB', document: values100Mb, path: '', connections: 2, aim: 0.9 },
  {
    name: 'geometry, later requests',
    document: { ...objects, path: geometryPath },
    path: '?includeGeometry=true',
    connections: 2,
    aim: 0.9,
  },
]

export async function measureBodies(
  meadow: MeadowServer,
  team: SolvedTeam,
  geometryPath: string,
  options: MeasureOptions & { chosen: (name: string) => boolean },
): Promise<MeasuredBody[]> {
  await using withBuffers = await startBare()
  await using withStream = await startBare()
  const measured: MeasuredBody[] = []
  for (const { name, aim, document, path, connections } of listBodyCases(team, geometryPath)) {
    if (!options.chosen(name)) continue
    const rounds = { ...options, connections: connections ?? options.connections }
    const request = solutionRequest(team, document, path)
    const { host, port, pid } = meadow
    const own = await prepareRunner('Meadow', { host, port, pid, requests: [request] }, 200, rounds)
    const file = { path: document.path, manner: 'buffers' } as const
    const bare = await prepareBare('bare', own, withBuffers, rounds, file)
    const pipe = await prepareBare("Node's pipe", own, withStream, rounds, { ...file, manner: 'stream' })
    const figures = await runInterleaved([bare, pipe, own], rounds)
    measured.push({ name, ...(aim !== undefined && { aim }), figures })
  }
  return measured
}

export const solutionRequest = (
  { token }: Pick<SolvedTeam, 'token'>,
  { id }: Pick<SolvedDocument, 'id'>,
  query = '',
): HttpRequest => ({
  path: `${API_PREFIX}/documents/${id}/solution${query}`,
  headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
})

/** Formats a table with the figures of all servers. */
export function printBodies(bodies: readonly MeasuredBody[]): string {
  const rows = bodies.flatMap(({ name, aim, figures: [bare, ...others] }) =>
    others.map((figures) => [
      name,
      figures.name,
      count(figures.medianPerSecond * figures.meanBodyBytes * 2 ** -20),
      count(bare!.medianPerSecond * bare!.meanBodyBytes * 2 ** -20),
      verdict(figures.ratio, figures.name === 'Meadow' ? aim : undefined),
      figures.perSecond.map((value, round) => (value / bare!.perSecond[round]!).toFixed(2)).join(' '),
      milliseconds(figures.p50Ms),
      figures.cpuMicroseconds === undefined ? '' : milliseconds(figures.cpuMicroseconds / 1000),
      megabytes(figures.meanBodyBytes),
    ]),
  )
  return table(
    ['case', 'server', 'MB per s', 'bare MB per s', 'ratio', 'each round', 'p50 ms', 'CPU ms', 'MB'],
    rows,
  )
}
