import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DocumentId } from '@meadow/contract'
import { sendRequest } from '../load/request.ts'
import {
  type Figures,
  type MeasureOptions,
  prepareBare,
  prepareRunner,
  runInterleaved,
} from '../requests/runner.ts'
import { readProcessFigures } from '../servers/process-figures.ts'
import { runScript } from '../servers/run-script.ts'
import { startBare } from '../servers/start-bare.ts'
import { type MeadowServer, startMeadow } from '../servers/start-meadow.ts'
import { reportProgress } from '../shared/progress.ts'
import { buildExportedTeam, type ExportedTeam, exportRequest } from './exported-team.ts'
import type { ReadAndWrite } from './read-and-write.ts'

/** The cost of exports. Times in milliseconds, sizes in bytes. */
export interface ExportFigures {
  model: { bytes: number; objects: number }
  /** The first export, which starts the thread, and further exports, each of another document. */
  coldMs: number
  firstMs: number[]
  rhino: ReadAndWrite
  /** Fifty exports at once; `late` of them failed. Memory is undefined where the system does not report it. */
  many: { ms: number; late: number; beforeBytes: number | undefined; mostBytes: number | undefined }
  /** Requests for a cached export: of the bare server, then of Meadow. */
  links: Figures[]
}

const ONE_BY_ONE = 9
const AT_ONCE = 50
const POLL_MS = 20

export async function measureExports(options: MeasureOptions): Promise<ExportFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'meadow-bench-exports-'))
  try {
    reportProgress('Creating documents with a model of 10 MB')
    const team = await buildExportedTeam(join(folder, 'data'), 1 + ONE_BY_ONE + AT_ONCE)
    const rhino = await runScript<ReadAndWrite>(
      new URL('read-and-write.ts', import.meta.url),
      team.model.path,
    )
    await using meadow = await startMeadow({ dataDir: team.dataDir, logFile: join(folder, 'server.log') })
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
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function timeExport(meadow: MeadowServer, team: ExportedTeam, id: DocumentId): Promise<number> {
  const start = performance.now()
  const { status, body } = await sendRequest(meadow, exportRequest(team, id))
  if (status !== 200) throw new Error(`An export was answered with ${status}: ${body}`)
  return performance.now() - start
}

async function exportMany(
  { pid }: MeadowServer,
  exports: readonly (() => Promise<number>)[],
): Promise<ExportFigures['many']> {
  const beforeBytes = readProcessFigures(pid).residentBytes
  let mostBytes = beforeBytes
  const start = performance.now()
  let isOver = false
  const all = Promise.allSettled(exports.map((one) => one())).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await sleep(POLL_MS)
    const now = readProcessFigures(pid).residentBytes
    if (mostBytes !== undefined && now !== undefined) mostBytes = Math.max(mostBytes, now)
  }
  const late = (await all).filter(({ status }) => status === 'rejected').length
  return { ms: performance.now() - start, late, beforeBytes, mostBytes }
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
