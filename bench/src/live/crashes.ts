import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { repairGraph } from '@meadow/document'
import { type KillableServer, runCrashes } from '@meadow/server/src/features/live/testing/crash-runs.ts'
import type { DatabaseLocation } from '@meadow/server/src/platform/database/open-database.ts'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import { endWithThisProcess } from '../servers/server-process.ts'
import { MEADOW_SERVER, meadowEnvironment } from '../servers/start-meadow.ts'
import { startPostgres } from '../servers/start-postgres.ts'
import { reportProgress } from '../shared/progress.ts'
import { buildEditedTeam } from './edited-team.ts'

/** The edits lost by a server that is killed repeatedly while several clients edit. */
export interface CrashFigures {
  kills: number
  /** The total number of acknowledged edits. */
  acknowledged: number
  lost: number
  /** Faults of the final document. */
  invalid: number
}

const { values: options } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, postgres: { type: 'boolean', default: false } },
})
const EDITORS = 5

const dataDir = await mkdtemp(join(tmpdir(), 'meadow-crashes-'))
try {
  // When this process runs as root, PostgreSQL runs as another user.
  await chmod(dataDir, 0o755)
  await using postgres = options.postgres ? await startPostgres(join(dataDir, 'postgres')) : undefined
  const location = { dataDir, databaseUrl: postgres?.url }
  const team = await buildEditedTeam(location, { document: { nodes: 50, sliders: 0 } })
  const port = await findFreePort()
  const figures: CrashFigures = { kills: 0, acknowledged: 0, lost: 0, invalid: 0 }
  const content = await runCrashes({
    documentId: team.documents.document!.id,
    cookie: team.cookie,
    kills: Number(options.kills),
    editors: EDITORS,
    start: () => startServer(location, port),
    onKilled(acknowledged, missing) {
      figures.kills++
      figures.acknowledged += acknowledged
      figures.lost += missing.length
      if (figures.kills % 10 === 0) reportProgress(`${figures.kills} kills, ${figures.acknowledged} edits`)
    },
  })
  figures.invalid = repairGraph(content).repairs.length
  process.stdout.write(JSON.stringify(figures))
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

/** At the same port each time, so that the editors reconnect. */
async function startServer(location: DatabaseLocation, port: number): Promise<KillableServer> {
  const child = spawn(process.execPath, [MEADOW_SERVER, 'serve', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...meadowEnvironment(location), MEADOW_PORT: String(port), MEADOW_SOLVE_WORKERS: '0' },
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
