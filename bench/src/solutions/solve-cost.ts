import { join } from 'node:path'
import type { GraphContent } from '@meadow/contract'
import { createDocumentContents } from '@meadow/server/src/content/document-contents.ts'
import { createReferencedModelStore } from '@meadow/server/src/features/solves/referenced-models.store.ts'
import { startSolverPool } from '@meadow/server/src/features/solves/solver-pool.ts'
import { blobsIn } from '@meadow/server/src/platform/blobs/open-blobs.ts'
import { createLog } from '@meadow/server/src/platform/log.ts'
import { solve } from '@meadow/solver'
import { openFolder } from '../harness/command.ts'
import { listTree, readCpuNs } from '../harness/process-figures.ts'
import { ownCpuMs, time } from '../harness/statistics.ts'
import { createTeam, openStores } from '../harness/teams.ts'
import { createSums } from '../live/edited-team.ts'
import { longLists } from './graphs.ts'

/** The processor time of one solve of a document, in milliseconds, with processes that are warm. */
export interface SolveCost {
  name: string
  nodes: number
  jsonBytes: number
  /**
   * The time of the process that hands out the solve and stores its result. `childMs` is that of the process that
   * solves.
   */
  parentMs: number
  childMs: number
  /** The time of the solver alone, on content that was just read. */
  solverMs: number
}

const WARM_UP = 30
const SOLVES = 40

const GRAPHS: Record<string, () => GraphContent> = {
  'ten nodes': () => longLists(10, 10),
  '2,000 nodes': () => createSums(2_000),
}

await using folder = await openFolder('bench-solve')
const dataDir = join(folder.path, 'data')
// The database stays open, since the reader of contents follows it as long as the process lasts.
const stores = await openStores({ dataDir })
const { database, blobs, solves } = stores
const figures: SolveCost[] = []
for (const [name, make] of Object.entries(GRAPHS)) figures.push(await measure(name, make()))
process.stdout.write(JSON.stringify(figures))

async function measure(name: string, graph: GraphContent): Promise<SolveCost> {
  const team = await createTeam(stores, 'Solved')
  const bytes = Buffer.from(JSON.stringify(graph))
  const { key } = await team.addDocument(name, bytes)
  let onEnded = () => {}
  const pool = startSolverPool(
    {
      database,
      store: solves,
      contents: createDocumentContents(database, blobs),
      referencedModels: createReferencedModelStore(database),
      blobs,
      blobsLocation: blobsIn(dataDir),
      log: createLog('silent'),
      onEnded: () => onEnded(),
    },
    { workers: 1, leaseMs: 60_000, limits: { timeMs: 60_000, memoryMb: 512 }, stopGraceMs: 0 },
  )
  async function solveOnce(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      onEnded = resolve
    })
    await solves.request(team.key, [key])
    pool.wake()
    await ended
  }
  for (let count = 0; count < WARM_UP; count++) await solveOnce()
  const [parentBefore, childBefore] = [ownCpuMs(), childCpuMs()]
  for (let count = 0; count < SOLVES; count++) await solveOnce()
  const [parent, child] = [ownCpuMs() - parentBefore, childCpuMs() - childBefore]
  await pool.stop()
  let solver = 0
  for (let count = -WARM_UP; count < SOLVES; count++) {
    // The content is parsed each time: a solve never gets the same objects again, with which it would be several times
    // as fast.
    const parsed: GraphContent = JSON.parse(bytes.toString())
    const { cpuMs } = time(() => solve(parsed))
    if (count >= 0) solver += cpuMs
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

/** Returns the processor time of the only child process. */
function childCpuMs(): number {
  return readCpuNs(listTree(process.pid)[1]!) / 1e6
}
