import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deliverUnderKills } from '@meadow/server/src/features/webhooks/testing/kill-runs.ts'

/*
 * npm run webhooks:torture -- [--events 10000] [--kills 60] [--hazard 0.02] [--database postgres://…]
 *
 * Delivers events to a webhook while everything that makes and delivers them is killed again and again, and says what
 * was lost, forged or delivered twice. Ends with 1 when anything was lost or forged.
 */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '60' },
    hazard: { type: 'string', default: '0.02' },
    database: { type: 'string' },
  },
})
await using folder = await mkdtempDisposable(join(tmpdir(), 'meadow-webhooks-'))
const report = await deliverUnderKills({
  dataDir: folder.path,
  databaseUrl: values.database,
  env: { PATH: process.env.PATH },
  events: Number(values.events),
  kills: Number(values.kills),
  servers: values.database === undefined ? 1 : 2,
  hazard: Number(values.hazard),
  onKilled: (delivered, committed) => console.log(`killed at ${delivered} of ${committed} events`),
})
console.log(JSON.stringify(report, null, 2))
process.exitCode = report.lost + report.forged + report.renamed === 0 ? 0 : 1
