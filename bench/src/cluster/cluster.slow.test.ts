import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { atEnd } from '@meadow/server/src/testing/at-end.ts'
import { DATABASES } from '@meadow/server/src/testing/databases.ts'
import { createQuickFolder } from '@meadow/server/src/testing/quick-folder.ts'
import { openCluster } from './parts/cluster.ts'
import { type Pace, runFaults } from './run-faults.ts'
import type { Ledger } from './work/ledger.ts'

/* A small version of `npm run cluster`. Times are not judged, since the machine may be busy. */

const SHORT: Pace = { faultsPerWave: 3, maxPauseMs: 500, calmMs: 500 }
const MAX_WAVES = 100

const KINDS = ['solves', 'revocations', 'removals', 'demotions', 'renames', 'arrivals', 'visits']

const hasWorked = ({ counts }: Ledger) =>
  (counts.edits ?? 0) > 10 && KINDS.every((kind) => (counts[kind] ?? 0) > 0)

const postgres = DATABASES.find(({ name }) => name === 'postgres')!
describe('given a cluster on PostgreSQL', postgres.options, () => {
  test('[CLU-1] [CLU-2] [CLU-4] [CLU-5] [CLU-6] [CLU-10] when its processes are killed and its connections cut while clients work, then no edit is lost, no body is wrong, no access is kept, and solves finish', async (t) => {
    const folder = await createQuickFolder('meadow-cluster-')
    atEnd(t, () => rm(folder, { recursive: true }))
    const { databaseUrl } = await postgres.createLocation(t)
    await using cluster = await openCluster({
      ...{ serve: 2, work: 1, databaseUrl: databaseUrl!, folder, store: 's3', pooler: true },
    })
    const { log, ledger, logged } = await runFaults(cluster, {
      ...{ folder, databaseUrl: databaseUrl!, pace: SHORT, seed: 4, faults: ['kill', 'cut', 'store'] },
      restartDatabase: undefined,
      isDone({ log, ledger, waves }) {
        return (hasWorked(ledger) && (log.count().kill ?? 0) > 0) || waves === MAX_WAVES
      },
    })
    assert.ok(hasWorked(ledger), JSON.stringify(ledger.counts))
    assert.ok(log.count().kill! > 0)
    const violations = ledger.violations.filter(({ invariant }) => invariant !== 'late failures')
    assert.deepEqual(violations, [])
    assert.deepEqual(logged, [])
  })
})
