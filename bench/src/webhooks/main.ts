import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deliverUnderKills } from '@meadow/server/src/features/webhooks/testing/kill-runs.ts'
import { type Outcome, openFolder, runCommand } from '../harness/command.ts'
import { startPostgres } from '../harness/postgres.ts'

const HELP = `Delivers events to a webhook while everything that makes and delivers them is killed again and again, and says what was
lost, forged or delivered twice. Ends with 1 when anything was lost or forged.

  npm run webhooks:torture -- [--events 10000] [--kills 60] [--hazard 0.02] [--postgres]

  --postgres: on a PostgreSQL of its own, with two servers, and not on SQLite with one
`

const read = (args: readonly string[]) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: 'string', default: '10000' },
      kills: { type: 'string', default: '60' },
      hazard: { type: 'string', default: '0.02' },
      postgres: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  return values.help ? 'help' : values
}

await runCommand(HELP, read, async (options): Promise<Outcome> => {
  await using folder = await openFolder('webhooks')
  await using postgres = options.postgres ? await startPostgres(join(folder.path, 'postgres')) : undefined
  const report = await deliverUnderKills({
    // This is not the folder itself, since the servers deny other users access to their data folder.
    dataDir: join(folder.path, 'data'),
    databaseUrl: postgres?.url,
    env: { PATH: process.env.PATH },
    events: Number(options.events),
    kills: Number(options.kills),
    servers: postgres ? 2 : 1,
    hazard: Number(options.hazard),
    onKilled: (delivered, committed) => console.log(`killed at ${delivered} of ${committed} events`),
  })
  const code = report.lost + report.forged + report.renamed === 0 ? 0 : 1
  return { text: JSON.stringify(report, null, 2), code }
})
