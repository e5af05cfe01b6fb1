import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repairGraph } from '@meadow/document'
import { type KillableServer, runCrashes } from '@meadow/server/src/features/live/testing/crash-runs.ts'
import { findFreePort } from '@meadow/server/src/testing/find-free-port.ts'
import { openFolder, reportProgress } from '../harness/command.ts'
import { startMeadow } from '../harness/meadow.ts'
import { startPostgres } from '../harness/postgres.ts'
import { addressOf } from '../harness/request.ts'
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

await using folder = await openFolder('crashes')
await using postgres = options.postgres ? await startPostgres(join(folder.path, 'postgres')) : undefined
const location = { dataDir: join(folder.path, 'data'), databaseUrl: postgres?.url }
const team = await buildEditedTeam(location, { document: { nodes: 50, sliders: 0 } })
const port = await findFreePort()
const figures: CrashFigures = { kills: 0, acknowledged: 0, lost: 0, invalid: 0 }
const content = await runCrashes({
  documentId: team.documents.document!.id,
  cookie: team.cookie,
  kills: Number(options.kills),
  editors: EDITORS,
  start: startServer,
  onKilled(acknowledged, missing) {
    figures.kills++
    figures.acknowledged += acknowledged
    figures.lost += missing.length
    if (figures.kills % 10 === 0) reportProgress(`${figures.kills} kills, ${figures.acknowledged} edits`)
  },
})
figures.invalid = repairGraph(content).repairs.length
process.stdout.write(JSON.stringify(figures))

/** Starts the server, at the same port each time, so that the editors reconnect. */
async function startServer(): Promise<KillableServer> {
  const env = { MEADOW_PORT: String(port), MEADOW_SOLVE_WORKERS: '0' }
  const server = await startMeadow({ ...location, logFile: join(folder.path, 'log'), env })
  return { address: addressOf(server), kill: server.kill }
}
