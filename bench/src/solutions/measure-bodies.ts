import { API_PREFIX } from '@meadow/contract'
import type { HttpRequest } from '../load/request.ts'
import { type MeasureOptions, prepareBare, takeTurns } from '../measure.ts'
import { type Figures, prepareRunner } from '../runner.ts'
import { startBare } from '../servers/start-bare.ts'
import type { MeadowServer } from '../servers/start-meadow.ts'
import type { SolvedDocument, SolvedTeam } from './solved-team.ts'

/** A body of a solution beside the same file sent by a bare server. */
export interface MeasuredBody {
  name: string
  /** The share of the bare server's speed that is aimed at; left out: only told. */
  aim?: number
  /** A bare server that sends the file by hand, the same with Node's own pipe, Meadow. */
  figures: Figures[]
}

interface BodyCase extends Omit<MeasuredBody, 'figures'> {
  path: string
  document: SolvedDocument
  /** Many of a large one at once would only hold up each other. */
  connections?: number
}

/** `geometryPath` is the file of the body with geometry, which somebody has asked for already. */
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
  await using byHand = await startBare()
  await using piped = await startBare()
  const measured: MeasuredBody[] = []
  for (const asked of listBodyCases(team, geometryPath)) {
    if (!options.chosen(asked.name)) continue
    const { name, aim, document } = asked
    const rounds = { ...options, connections: asked.connections ?? options.connections }
    const request = solutionRequest(team, document, asked.path)
    const { host, port, pid } = meadow
    const own = await prepareRunner('Meadow', { host, port, pid, requests: [request] }, 200, rounds)
    const file = { path: document.path, manner: 'buffers' } as const
    const bare = await prepareBare('bare', own, byHand, rounds, file)
    const pipe = await prepareBare("Node's pipe", own, piped, rounds, { ...file, manner: 'stream' })
    const figures = await takeTurns([bare, pipe, own], rounds)
    measured.push({ name, ...(aim !== undefined && { aim }), figures })
  }
  return measured
}

export const solutionRequest = (
  { secret }: Pick<SolvedTeam, 'secret'>,
  { id }: Pick<SolvedDocument, 'id'>,
  query = '',
): HttpRequest => ({
  path: `${API_PREFIX}/documents/${id}/solution${query}`,
  headers: { authorization: `Bearer ${secret}`, 'accept-encoding': 'gzip' },
})
