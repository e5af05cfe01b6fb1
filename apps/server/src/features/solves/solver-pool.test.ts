import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { createDocumentContents } from '../../content/document-contents.ts'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import type { Database } from '../../platform/database/database.ts'
import { createLog } from '../../platform/log.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { until } from '../../testing/until.ts'
import { type PoolOptions, startSolverPool } from './solver-pool.ts'
import { createSolveStore } from './solves.store.ts'
import { givenDocuments, readSolves, readTeam, TERMS } from './testing/given-solves.ts'
import { circle, longList, points } from './testing/graphs.ts'

const LOG = createLog('silent')
const NEVER_MS = 600_000
const OPTIONS: PoolOptions = {
  workers: 2,
  leaseMs: 30_000,
  limits: { timeMs: 60_000, memoryMb: 512 },
  stopGraceMs: 60_000,
  pollMs: NEVER_MS,
}

async function open(t: TestContext, kind: TestDatabase, contents: GraphContent[]) {
  const database = await kind.open(t)
  const blobsFolder = join(await createFolder(t), 'blobs')
  const blobs = await openDiskBlobs(blobsFolder)
  const store = createSolveStore(database)
  const { team, documents } = await givenDocuments(database, 1000, contents)
  return {
    database,
    store,
    blobs,
    blobsFolder,
    credits: async () => (await readTeam(database, team.key)).credits,
    askForAll: () =>
      store.ask(
        team.key,
        documents.map(({ key }) => key),
      ),
    startPool(options: Partial<PoolOptions> = {}) {
      const contents = createDocumentContents(database, blobs)
      const parts = { store, contents, blobs, blobsFolder, log: LOG }
      const pool = startSolverPool(parts, { ...OPTIONS, ...options })
      atEnd(t, pool.stop)
      return pool
    },
  }
}

const untilAll = (database: Database, states: readonly string[]) =>
  until(`all solves are ${states}`, async () => {
    const solves = await readSolves(database)
    return solves.every(({ state }) => states.includes(state)) && solves
  })

/** The blobs in a store's folder. */
async function countBlobs(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => /[0-9a-f]{64}$/.test(name)).length
}

for (const kind of DATABASES) {
  describe(`a pool of solvers on ${kind.name}`, kind.options, () => {
    test('[JOB-7, JOB-8, JOB-10, JOB-13, JOB-15] given documents, when the pool is woken, then each is solved or fails, and is charged', async (t) => {
      const { database, blobs, askForAll, startPool, credits } = await open(t, kind, [
        points(),
        circle(),
        longList(9),
      ])
      const pool = startPool()
      await askForAll()
      pool.wake()
      const [solved, failed, plain] = await untilAll(database, ['solved', 'failed'])
      assert.deepEqual([solved!.state, failed!.state, plain!.state], ['solved', 'failed', 'solved'])
      for (const digest of [solved!.values_gzip, solved!.values_zstd, solved!.model, plain!.values_gzip]) {
        assert.ok(await blobs.has(digest!))
      }
      assert.deepEqual([plain!.model, solved!.units, solved!.model_objects], [null, 'none', 3])
      assert.match(failed!.reason!, /run in a circle/)
      const charged = [solved, failed, plain].reduce((sum, solve) => sum + solve!.credits!, 0)
      assert.equal(await credits(), 1000 - charged)
    })

    test('[JOB-15] given solves that another process asks for, when nobody wakes the pool, then it finds them', async (t) => {
      const { database, askForAll, startPool } = await open(t, kind, [points()])
      startPool({ pollMs: 50 })
      await askForAll()
      await untilAll(database, ['solved'])
    })

    test('[JOB-8, JOB-13] given a document that takes too long, then it fails and costs no more than the limit, and the pool goes on', async (t) => {
      const { database, askForAll, startPool, credits } = await open(t, kind, [
        longList(500_000, 90),
        longList(9),
      ])
      await askForAll()
      startPool({ workers: 1, limits: { timeMs: 1200, memoryMb: 512 } })
      const [late, next] = await untilAll(database, ['solved', 'failed'])
      assert.equal(late!.state, 'failed')
      assert.match(late!.reason!, /^The solve took longer than 1\.2 s\. It was at /)
      assert.equal(next!.state, 'solved')
      assert.equal(await credits(), 997)
    })

    test('[JOB-14] given a solve under way, when the pool is stopped, then it gives the solve back after the grace, and another finishes it', async (t) => {
      const { database, askForAll, startPool } = await open(t, kind, [longList(100_000, 20)])
      await askForAll()
      const pool = startPool({ stopGraceMs: 0 })
      await untilAll(database, ['running'])
      await pool.stop()
      const [given] = await readSolves(database)
      assert.deepEqual([given!.state, given!.attempts, given!.lease_until], ['running', 0, 0])
      startPool()
      const [solved] = await untilAll(database, ['solved'])
      assert.equal(solved!.attempts, 1)
    })

    test('[JOB-14] given a solve under way, when the pool is stopped, then it is finished within the grace', async (t) => {
      const { database, askForAll, startPool } = await open(t, kind, [longList(100_000, 5)])
      await askForAll()
      const pool = startPool()
      await untilAll(database, ['running'])
      await pool.stop()
      const [solve] = await readSolves(database)
      assert.equal(solve!.state, 'solved')
    })

    test('[JOB-4] given a solve that was taken over, when the first solver hears of it, then it stops, and counts for nothing', async (t) => {
      const { database, store, blobsFolder, askForAll, startPool, credits } = await open(t, kind, [
        longList(1_000_000, 40),
      ])
      await askForAll()
      const pool = startPool({ leaseMs: 300, workers: 1 })
      await untilAll(database, ['running'])
      await database.transaction(async (write) => {
        await write.updateTable('solve').set({ lease_until: 0 }).execute()
      })
      const mine = await store.claim({ ...TERMS, leaseMs: NEVER_MS })
      assert.equal(mine!.attempt, 2)
      // Ends at once, since its solver has heard of it or the solve is over.
      await pool.stop()
      const [solve] = await readSolves(database)
      assert.deepEqual([solve!.state, solve!.claimed_by], ['running', mine!.claimedBy])
      assert.deepEqual([await credits(), await countBlobs(blobsFolder)], [1000, 0])
    })
  })
}
