import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import type { Database } from '../../platform/database/database.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { until } from '../../testing/until.ts'
import { createSolveStore } from './solves.store.ts'
import { givenDocuments, readSolves, readTeam } from './testing/given-solves.ts'
import { circle, longList, points } from './testing/graphs.ts'

const CREDITS = 1000
/** The lease outlasts any pause of a running process on a busy machine: only those of killed processes expire. */
const ENV = { MEADOW_SOLVE_LEASE_SECONDS: '10', MEADOW_STOP_GRACE_SECONDS: '60', MEADOW_PORT: '0' }

/** The operator's command on a database of its own, in which solves of these documents are queued. */
async function open(t: TestContext, kind: TestDatabase, contents: GraphContent[]) {
  const { databaseUrl } = await kind.createLocation(t)
  const commandLine = await createCommandLine(t, {
    ...ENV,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  })
  const database = await openDatabase({ databaseUrl, dataDir: commandLine.dataDir })
  atEnd(t, () => database.close())
  const { team, documents } = await givenDocuments(database, CREDITS, contents)
  await createSolveStore(database).request(
    team.key,
    documents.map(({ key }) => key),
  )
  return {
    ...commandLine,
    database,
    blobs: await openDiskBlobs(join(commandLine.dataDir, 'blobs')),
    tenths: async () => (await readTeam(database, team.key)).tenths,
  }
}

const untilOneRuns = (database: Database) =>
  until('a solve runs, or none is left', async () => {
    const states = (await readSolves(database)).map(({ state }) => state)
    return states.includes('running') || !states.includes('queued')
  })

/** Waits for one solve after the other, since a busy machine takes long for all of them. */
async function untilEnded(database: Database) {
  for (let count = 1; ; count++) {
    const [solves, ended] = await until(`${count} solves have ended`, async () => {
      const solves = await readSolves(database)
      const ended = solves.filter(({ state }) => state === 'solved' || state === 'failed')
      return ended.length >= count && ([solves, ended] as const)
    })
    if (ended.length === solves.length) return solves
  }
}

const chargedFor = (solves: readonly { credit_tenths: number | null }[]) =>
  solves.reduce((sum, { credit_tenths }) => sum + credit_tenths!, 0)

for (const kind of DATABASES) {
  describe(`processes that solve on ${kind.name}`, { skip: kind.options.skip || noLauncher }, () => {
    // What a process does at its end, and what becomes of a single solve, is the same on both kinds.
    const skip = kind.name === 'postgres' && 'it is tested on SQLite'

    test('[JOB-4, JOB-5] given a server that is killed during a solve, when it is started again, then the solve is taken over and charged once', {
      skip,
    }, async (t) => {
      const { database, start, tenths } = await open(t, kind, [longList(20_000, 5)])
      const first = start('serve')
      await untilOneRuns(database)
      first.kill('SIGKILL')
      await first.finished
      // Instead of waiting until the lease expires.
      await database.transaction(async (write) => {
        await write.updateTable('solve').set({ lease_until: 0 }).where('state', '=', 'running').execute()
      })
      start('serve')
      const [solve] = await untilEnded(database)
      assert.deepEqual([solve!.state, solve!.attempts], ['solved', 2])
      assert.equal(await tenths(), 10 * CREDITS - solve!.credit_tenths!)
    })

    test('[JOB-3, JOB-4, JOB-8] given processes that are killed at random, when all solves are done, then each was completed once, and its blobs are stored', async (t) => {
      const kinds = [points(), longList(20_000, 5), circle()]
      const contents = Array.from({ length: 9 }, (_, i) => kinds[i % 3]!)
      const { database, blobs, start, tenths } = await open(t, kind, contents)
      const solvers = [start('work', '--workers', '2'), start('work', '--workers', '2')]
      for (let killed = 0; killed < 2; killed++) {
        await untilOneRuns(database)
        const which = randomInt(solvers.length)
        solvers[which]!.kill('SIGKILL')
        solvers[which] = start('work', '--workers', '2')
      }
      const solves = await untilEnded(database)
      for (const [i, { state, reason, values_gzip, values_zstd, model }] of solves.entries()) {
        assert.equal(state, i % 3 === 2 ? 'failed' : 'solved', reason ?? '')
        for (const digest of [values_gzip, values_zstd, model]) if (digest) assert.ok(await blobs.has(digest))
        assert.equal(model !== null, i % 3 === 0)
      }
      assert.equal(await tenths(), 10 * CREDITS - chargedFor(solves))
    })

    test('[JOB-14] given a process that receives SIGTERM, then it completes the running solve and leaves the rest', {
      skip,
    }, async (t) => {
      const { database, start } = await open(t, kind, [longList(20_000, 5), points()])
      const solver = start('work', '--workers', '1')
      await untilOneRuns(database)
      solver.kill('SIGTERM')
      const { code, stderr } = await solver.finished
      assert.equal(code, 0, stderr)
      const states = (await readSolves(database)).map(({ state }) => state)
      assert.deepEqual(states, ['solved', 'queued'])
    })
  })
}
