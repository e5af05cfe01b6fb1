import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DATABASES } from '@meadow/server/src/testing/databases.ts'
import { POSTGRES_VARIABLE } from '@meadow/server/src/testing/test-postgres.ts'
import { openLane, prepare, runPoint } from './lane.ts'
import { OPERATIONS } from './operations.ts'
import { describePoint } from './points.ts'

/* A sample of `npm run faults`, which tries every point of all operations. */

/** How many points of each operation, spread over all of them. */
const SAMPLE: Record<string, Record<string, number>> = {
  sqlite: { upload: 3, version: 3 },
  postgres: { token: 3, purge: 3 },
}

const postgresUrl = process.env[POSTGRES_VARIABLE]

for (const { name: database, options } of DATABASES) {
  describe(`one call that fails, on ${database}`, options, () => {
    test('[FLT-1] [FLT-2] [FLT-3] [FLT-4] [FLT-5] when it is any call of an operation, then nothing acknowledged is lost, and nothing is half done or left behind', async () => {
      await using lane = await openLane(database, postgresUrl)
      for (const [name, count] of Object.entries(SAMPLE[database]!)) {
        const prepared = await prepare(lane, OPERATIONS.find((operation) => operation.name === name)!)
        const step = Math.floor(prepared.points.length / count)
        for (let at = 0; at < count; at++) {
          const point = prepared.points[at * step]!
          const { violations } = await runPoint(lane, prepared, point)
          assert.deepEqual(violations, [], `${name}, ${describePoint(point)}`)
        }
      }
    })
  })
}
