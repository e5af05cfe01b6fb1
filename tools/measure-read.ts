import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from '../apps/server/src/testing/start-server.ts'

/**
 * The number of reads. Code of timers and other connections runs in between, but only the code of the read runs in all
 * of them.
 */
const ROUNDS = 5

/**
 * Lists the source files of which code runs between the bytes of a request for a document and those of its response,
 * which is in no cache. V8's profiler counts them in a real server on SQLite. They are sorted by path.
 */
export async function listFilesOfRead(): Promise<string[]> {
  const works: (() => Promise<void>)[] = []
  const { fixtures, team, get } = await startServer(
    { after: (work) => void works.push(work) },
    { MEADOW_SOLVE_WORKERS: '0' },
  )
  const session = new Session()
  session.connect()
  try {
    const ids = []
    for (let round = 0; round <= ROUNDS; round++)
      ids.push(await fixtures.document(team, { name: `${round}` }))
    // The first read starts things that later ones only use.
    await get(`/documents/${ids.pop()}`)
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const rounds: Set<string>[] = []
    for (const id of ids) {
      await session.post('Profiler.takePreciseCoverage')
      const { status } = await get(`/documents/${id}`)
      if (status !== 200) throw new Error(`Reading a document gave ${status}.`)
      const { result } = await session.post('Profiler.takePreciseCoverage')
      rounds.push(new Set(result.filter(hasRun).map(({ url }) => toPath(url))))
    }
    const [first, ...others] = rounds
    return [...first!].filter((file) => isSource(file) && others.every((round) => round.has(file))).sort()
  } finally {
    session.disconnect()
    for (const work of works) await work()
  }
}

const hasRun = ({ functions }: { functions: { ranges: { count: number }[] }[] }): boolean =>
  functions.some(({ ranges }) => ranges.some(({ count }) => count > 0))

const toPath = (url: string): string =>
  url.startsWith('file:') ? relative('.', fileURLToPath(url)).replaceAll('\\', '/') : url

const isSource = (file: string): boolean =>
  /^(apps|packages)\/[^/]+\/src\//.test(file) && !file.includes('/testing/')
