import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GraphContent } from '@meadow/contract'
import { createCatalogue } from '@meadow/server/src/catalogue/catalogue.ts'
import { createDocumentContents } from '@meadow/server/src/content/document-contents.ts'
import { createReferencedModelStore } from '@meadow/server/src/features/solves/references/referenced-models.store.ts'
import { startSolverPool } from '@meadow/server/src/features/solves/solver-pool.ts'
import { createSolveStore } from '@meadow/server/src/features/solves/solves.store.ts'
import { blobsIn, openBlobs } from '@meadow/server/src/platform/blobs/open-blobs.ts'
import { openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import { createLog } from '@meadow/server/src/platform/log.ts'
import { solve } from '@meadow/solver'
import { createContent } from '../team/graph-content.ts'
import { createRandom } from '../team/random.ts'
import { longLists } from './graphs.ts'

/** The processor time of one solve of a document, in milliseconds, with processes that are warm. */
export interface SolveCost {
  name: string
  nodes: number
  jsonBytes: number
  /** Of the process that hands out the solve and stores its result, and of the one that solves. */
  parentMs: number
  childMs: number
  /** Of the solver alone, on content that was just read. */
  solverMs: number
}

const WARM_UP = 30
const SOLVES = 40

const GRAPHS: Record<string, () => GraphContent> = {
  'ten nodes': () => longLists(10, 10),
  '2,000 nodes': () => {
    const made: GraphContent = JSON.parse(createContent(createRandom(1), 3 * 2 ** 20).toString())
    return { ...made, nodes: Object.fromEntries(Object.entries(made.nodes).slice(0, 2_000)) }
  },
}

const dataDir = await mkdtemp(join(tmpdir(), 'meadow-bench-solve-'))
const figures: SolveCost[] = []
try {
  for (const [name, make] of Object.entries(GRAPHS)) figures.push(await measure(name, make()))
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
process.stdout.write(JSON.stringify(figures))

async function measure(name: string, graph: GraphContent): Promise<SolveCost> {
  const database = await openDatabase({ dataDir })
  const blobsLocation = blobsIn(dataDir)
  const blobs = await openBlobs(blobsLocation)
  const catalogue = createCatalogue(database)
  const store = createSolveStore(database)
  const team = await catalogue.createTeam({ name: 'Solved', credits: 1_000_000 })
  const root = (await catalogue.findFolder(team.key, 'root'))!
  const bytes = Buffer.from(JSON.stringify(graph))
  const { key } = await catalogue.changeTeam(team.key, (change) =>
    change.createDocument({
      folder: root.key,
      name,
      createdAt: 0,
      updatedAt: 0,
      content: { kind: 'inline', bytes },
    }),
  )
  let onEnded = () => {}
  const pool = startSolverPool(
    {
      database,
      store,
      contents: createDocumentContents(database, blobs),
      referencedModels: createReferencedModelStore(database),
      blobs,
      blobsLocation,
      log: createLog('silent'),
      onEnded: () => onEnded(),
    },
    { workers: 1, leaseMs: 60_000, limits: { timeMs: 60_000, memoryMb: 512 }, stopGraceMs: 0 },
  )
  async function solveOnce(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      onEnded = resolve
    })
    await store.request(team.key, [key])
    pool.wake()
    await ended
  }
  for (let count = 0; count < WARM_UP; count++) await solveOnce()
  const [parentBefore, childBefore] = [ownCpuMs(), await childCpuMs()]
  for (let count = 0; count < SOLVES; count++) await solveOnce()
  const [parent, child] = [ownCpuMs() - parentBefore, (await childCpuMs()) - childBefore]
  await pool.stop()
  await database.close()
  let solver = 0
  for (let count = -WARM_UP; count < SOLVES; count++) {
    // A solve never gets the same objects again, for which it would be several times as fast.
    const parsed: GraphContent = JSON.parse(bytes.toString())
    const before = ownCpuMs()
    solve(parsed)
    if (count >= 0) solver += ownCpuMs() - before
  }
  return {
    name,
    nodes: Object.keys(graph.nodes).length,
    jsonBytes: bytes.length,
    parentMs: parent / SOLVES,
    childMs: child / SOLVES,
    solverMs: solver / SOLVES,
  }
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The processor time of the only child process, summed over its threads. */
async function childCpuMs(): Promise<number> {
  const tasks = await readdir('/proc/self/task')
  const lists = await Promise.all(tasks.map((task) => readFile(`/proc/self/task/${task}/children`, 'utf8')))
  const [child] = lists.flatMap((list) => list.split(' ').filter(Boolean))
  const threads = await readdir(`/proc/${child}/task`)
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${child}/task/${thread}/schedstat`, 'utf8')),
  )
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0)
}
