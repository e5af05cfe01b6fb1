import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { repairGraph } from '@meadow/document'
import { type KillableServer, runCrashes } from '@meadow/server/src/features/live/testing/crash-runs.ts'
import { say } from '../say.ts'
import { endWithThisProcess } from '../servers/server-process.ts'
import { MEADOW_SERVER, meadowEnvironment } from '../servers/start-meadow.ts'
import { buildEditedTeam } from './edited-team.ts'

/** What a server that is killed again and again while several edit has lost. */
export interface CrashFigures {
  kills: number
  /** Edits that were acknowledged in all. */
  acknowledged: number
  lost: number
  /** Faults of the document in the end. */
  invalid: number
}

const KILLS = Number(process.argv[2] ?? 100)
const EDITORS = 5

const dataDir = await mkdtemp(join(tmpdir(), 'meadow-crashes-'))
try {
  const team = await buildEditedTeam(dataDir, { document: { nodes: 50, sliders: 0 } })
  const port = await findFreePort()
  const figures: CrashFigures = { kills: 0, acknowledged: 0, lost: 0, invalid: 0 }
  const content = await runCrashes({
    documentId: team.documents.document!.id,
    cookie: team.cookie,
    kills: KILLS,
    editors: EDITORS,
    start: () => startServer(dataDir, port),
    onKilled(acknowledged, missing) {
      figures.kills++
      figures.acknowledged += acknowledged
      figures.lost += missing.length
      if (figures.kills % 10 === 0) say(`${figures.kills} kills, ${figures.acknowledged} edits`)
    },
  })
  figures.invalid = repairGraph(content).repairs.length
  process.stdout.write(JSON.stringify(figures))
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

/** At the same port each time, where its editors look for it. */
async function startServer(dataDir: string, port: number): Promise<KillableServer> {
  const child = spawn(process.execPath, [MEADOW_SERVER, 'serve', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...meadowEnvironment({ dataDir }), MEADOW_PORT: String(port), MEADOW_SOLVE_WORKERS: '0' },
  })
  endWithThisProcess(child)
  const ended = once(child, 'exit')
  const [line] = await once(createInterface(child.stdout), 'line')
  const { address } = JSON.parse(line)
  return {
    address,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
