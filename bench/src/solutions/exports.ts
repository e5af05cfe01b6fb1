import { join } from 'node:path'
import { API_PREFIX, type DocumentId } from '@meadow/contract'
import { openModelLibrary } from '@meadow/model'
import { listModelValues } from '@meadow/server/src/features/solves/solution-files.ts'
import { createGraph } from '@meadow/server/src/testing/graph/create-graph.ts'
import { graft } from '@meadow/server/src/testing/graph/feed.ts'
import { solve } from '@meadow/solver'
import { startBare } from '../harness/bare.ts'
import { openFolder, reportProgress } from '../harness/command.ts'
import { type MeadowServer, startMeadow } from '../harness/meadow.ts'
import { watchMemory } from '../harness/memory-watch.ts'
import { runScript } from '../harness/processes.ts'
import { aimed, count, megabytes, milliseconds, table } from '../harness/report.ts'
import { type HttpRequest, sendRequest } from '../harness/request.ts'
import {
  type Figures,
  type MeasureOptions,
  prepareBare,
  prepareRunner,
  runInterleaved,
} from '../harness/rounds.ts'
import { median, timeAsync } from '../harness/statistics.ts'
import { createTeam, openStores, solvedWith } from '../harness/teams.ts'
import type { ReadAndWrite } from './read-and-write.ts'
import { blobPath } from './solved-team.ts'

/** The cost of exports. Times are in milliseconds, sizes in bytes. */
export interface ExportFigures {
  model: { bytes: number; objects: number }
  /**
   * The time of the first export, which starts the thread. `firstMs` has those of further exports, each of another
   * document.
   */
  coldMs: number
  firstMs: number[]
  rhino: ReadAndWrite
  /**
   * The figures of fifty exports at once, of which `late` failed. Memory is undefined where the system does not report
   * it.
   */
  many: { ms: number; late: number; beforeBytes: number | undefined; mostBytes: number | undefined }
  /** The figures of requests for a cached export: of the bare server, then of Meadow. */
  links: Figures[]
}

const ONE_BY_ONE = 9
const AT_ONCE = 50
const POLL_MS = 20

export async function measureExports(options: MeasureOptions): Promise<ExportFigures> {
  await using folder = await openFolder('bench-exports')
  reportProgress('Creating documents with a model of 10 MB')
  const team = await buildExportedTeam(join(folder.path, 'data'), 1 + ONE_BY_ONE + AT_ONCE)
  const rhino = await runScript<ReadAndWrite>(new URL('read-and-write.ts', import.meta.url), team.model.path)
  await using meadow = await startMeadow({ dataDir: team.dataDir, logFile: join(folder.path, 'server.log') })
  const [cold, ...others] = team.documents
  const exportOne = (id: DocumentId) => timeExport(meadow, team, id)
  reportProgress('Exporting models one by one')
  const coldMs = await exportOne(cold!)
  const firstMs: number[] = []
  for (const id of others.slice(0, ONE_BY_ONE)) firstMs.push(await exportOne(id))
  reportProgress('Requesting links to an export')
  const links = await measureLinks(meadow, team, options)
  reportProgress('Exporting fifty models at once')
  const many = await exportMany(
    meadow,
    others.slice(ONE_BY_ONE).map((id) => () => exportOne(id)),
  )
  const { bytes, objects } = team.model
  return { model: { bytes, objects }, coldMs, firstMs, rhino, many, links }
}

async function timeExport(meadow: MeadowServer, team: ExportedTeam, id: DocumentId): Promise<number> {
  const { ms } = await timeAsync(async () => {
    const { status, body } = await sendRequest(meadow, exportRequest(team, id))
    if (status !== 200) throw new Error(`An export was answered with ${status}: ${body}`)
  })
  return ms
}

async function exportMany(
  { pid }: MeadowServer,
  exports: readonly (() => Promise<number>)[],
): Promise<ExportFigures['many']> {
  using memory = watchMemory(pid, POLL_MS)
  memory.begin()
  let late = 0
  const { ms } = await timeAsync(async () => {
    const all = await Promise.allSettled(exports.map((one) => one()))
    late = all.filter(({ status }) => status === 'rejected').length
  })
  const { before, most } = await memory.end(0)
  return { ms, late, beforeBytes: before.own, mostBytes: most.own }
}

async function measureLinks(
  { host, port, pid }: MeadowServer,
  team: ExportedTeam,
  options: MeasureOptions,
): Promise<Figures[]> {
  await using bare = await startBare()
  const requests = team.documents.slice(0, ONE_BY_ONE).map((id) => exportRequest(team, id))
  const own = await prepareRunner('Meadow', { host, port, pid, requests }, 200, options)
  return await runInterleaved([await prepareBare('bare', own, bare, options), own], options)
}

/** A team of documents whose solutions share one model file. */
interface ExportedTeam {
  dataDir: string
  token: string
  documents: DocumentId[]
  model: { path: string; bytes: number; objects: number }
}

/** Creates a graph of about 10 MB of points, lines, circles, boxes, tubes and small meshes. */
const manyObjects = () =>
  createGraph('Many objects', ({ group, add }) => {
    group('All', 'geometry')
    const centers = add(
      'Construct Point',
      [graft(add('Series', { Count: 21 }, 'East')), add('Series', { Count: 21 }, 'North')],
      'Places',
    )
    const posts = add('Line SDL', [centers, add('Unit Z', [], 'Up'), 3], 'Posts')
    add('Circle CNR', { Center: centers, Radius: 0.4 }, 'Rings')
    add('Box 2Pt', [centers, add('Construct Point', [0, 0, 5], 'Corner')], 'Boxes')
    add('Pipe', { Curve: posts, Radius: 0.1, Caps: 1 }, 'Tubes')
  })

async function buildExportedTeam(dataDir: string, count: number): Promise<ExportedTeam> {
  await using stores = await openStores({ dataDir })
  const { token, addDocument, addSolution } = await createTeam(stores, 'Exported')
  const graph = manyObjects()
  await using library = openModelLibrary()
  const written = await library.write(listModelValues(graph, solve(graph)), {
    documentId: 'bench',
    archiveVersion: 7,
    units: 'none',
    savedAt: new Date(0),
  })
  const { digest, size: bytes } = await stores.blobs.put(written.bytes)
  const model = { digest, bytes, objects: written.objectCount }
  const documents: DocumentId[] = []
  for (let made = 0; made < count; made++) {
    const { key, id } = await addDocument(`Tower ${made}`, graph)
    const files = { valuesGzip: digest, valuesZstd: digest, valuesBytes: 1, model }
    await addSolution(key, async () => solvedWith(files))
    documents.push(id)
  }
  const path = blobPath(dataDir, digest)
  return { dataDir, token, documents, model: { path, bytes, objects: written.objectCount } }
}

const exportRequest = ({ token }: ExportedTeam, id: DocumentId): HttpRequest => ({
  path: `${API_PREFIX}/documents/${id}/export?format=.3dm`,
  headers: { authorization: `Bearer ${token}` },
})

const AIMS = { linkRatio: 0.35, timesRhino: 1.5 }

export function printExports({ model, coldMs, firstMs, rhino, many, links }: ExportFigures): string {
  const [bare, meadow] = links
  const [first, alone] = [median(firstMs), median(rhino.ms)]
  const factor = first / alone
  const perSecond = meadow!.medianPerSecond
  const rows = [
    [
      'a link to an export that is there',
      `${count(perSecond)} per s (bare: ${count(bare!.medianPerSecond)}, ratio ${meadow!.ratio.toFixed(2)})`,
      aimed(`ratio ${AIMS.linkRatio}`, meadow!.ratio >= AIMS.linkRatio),
    ],
    [
      'the first export of a model',
      `${milliseconds(first)} ms, ${factor.toFixed(2)} times the ${milliseconds(alone)} ms of rhino3dm`,
      aimed(`${AIMS.timesRhino} times`, factor <= AIMS.timesRhino),
    ],
    ['the very first, which starts the thread', `${milliseconds(coldMs)} ms`, ''],
    [
      'fifty at once',
      `${milliseconds(many.ms)} ms${many.late > 0 ? `, ${many.late} not in time` : ''}, ${megabytes(many.mostBytes)} MB at most (${megabytes(many.beforeBytes)} MB before)`,
      '',
    ],
  ]
  return [
    `## Exports\n\nA model of ${(model.bytes / 1e6).toFixed(1)} MB with ${count(model.objects)} objects, in archive 80:`,
    table(['what', 'measured', 'aim'], rows),
  ].join('\n\n')
}
