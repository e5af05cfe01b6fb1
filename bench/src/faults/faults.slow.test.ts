import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DATABASES } from '@meadow/server/src/testing/databases.ts'
import { POSTGRES_VARIABLE } from '@meadow/server/src/testing/test-postgres.ts'
import { type Lane, openLane, type Prepared, prepare, runPoint } from './lane.ts'
import { OPERATIONS } from './operations.ts'
import { describePoint, type Point } from './points.ts'

/* A sample of `npm run faults`, which tries every point of all operations. */

/** How many points of each operation, spread over all of them. */
const SAMPLE: Record<string, Record<string, number>> = {
  sqlite: { upload: 3, version: 3 },
  postgres: { token: 3, purge: 3 },
}

/** Runs the first fault from an index on whose call is made; a few are those of work in the background. */
async function runMet(lane: Lane, prepared: Prepared, from: number): Promise<Point | undefined> {
  for (const point of prepared.points.slice(from)) {
    const { isMet, violations } = await runPoint(lane, prepared, point)
    assert.deepEqual(violations, [], `${prepared.operation.name}, ${describePoint(point)}`)
    if (isMet) return point
  }
  return undefined
}

const postgresUrl = process.env[POSTGRES_VARIABLE]

for (const { name: database, options } of DATABASES) {
  describe(`one call that fails, on ${database}`, options, () => {
    test('[FLT-1] [FLT-2] [FLT-3] [FLT-4] [FLT-5] when it is any call of an operation, then nothing acknowledged is lost, and nothing is half done or left behind', async () => {
      await using lane = await openLane(database, postgresUrl)
      for (const [name, count] of Object.entries(SAMPLE[database]!)) {
        const prepared = await prepare(lane, OPERATIONS.find((operation) => operation.name === name)!)
        for (let at = 0; at < count; at++) {
          const from = Math.floor(((at + 0.5) * prepared.points.length) / count)
          const point = await runMet(lane, prepared, from)
          assert.ok(point, `${name}: no call from point ${from + 1} on was made again`)
        }
      }
    })
  })
}
