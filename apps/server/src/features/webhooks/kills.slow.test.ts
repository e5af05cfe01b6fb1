import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DATABASES } from '../../testing/databases.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { deliverUnderKills } from './testing/kill-runs.ts'

// biome-ignore lint/style/noProcessEnv: the processes find their code compiled, as others that tests start do.
const { NODE_COMPILE_CACHE } = process.env

/** `npm run webhooks:torture` does the same with ten thousand. */
const [EVENTS, KILLS] = [150, 4]

for (const kind of DATABASES) {
  const options = { skip: noLauncher || kind.options.skip }
  describe(`webhooks while servers are killed, on ${kind.name}`, options, () => {
    test('[HOOK-1, HOOK-5, HOOK-11] given events and servers that are killed again and again, and a receiver that fails, then each committed event arrives, none that was rolled back, all signed, and what arrives twice has one id', async (t) => {
      const { databaseUrl } = await kind.createLocation(t)
      const { dataDir } = await createCommandLine(t)
      const report = await deliverUnderKills({
        ...{ dataDir, databaseUrl, env: { NODE_COMPILE_CACHE }, events: EVENTS, kills: KILLS, hazard: 0.05 },
        servers: kind.name === 'sqlite' ? 1 : 2,
      })
      const { committed, lost, forged, renamed } = report
      assert.ok(committed >= EVENTS)
      assert.deepEqual({ lost, forged, renamed }, { lost: 0, forged: 0, renamed: 0 }, JSON.stringify(report))
    })
  })
}
