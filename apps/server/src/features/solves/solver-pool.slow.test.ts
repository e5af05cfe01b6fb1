import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, type TestContext, test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { createDocumentContents } from '../../content/document-contents.ts'
import type { Database } from '../../platform/database/database.ts'
import { DatabaseUnavailableError } from '../../platform/database/unavailable.ts'
import { createLog } from '../../platform/log.ts'
import { atEnd } from '../../testing/at-end.ts'
import { listChildren, noProc } from '../../testing/child-processes.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { until } from '../../testing/until.ts'
import { createReferencedModelStore } from './referenced-models.store.ts'
import { type PoolOptions, startSolverPool } from './solver-pool.ts'
import { createSolveStore, type SolveStore } from './solves.store.ts'
import { givenDocuments, readSolves, readTeam, TERMS } from './testing/given-solves.ts'
import { circle, doublingText, longList, points } from './testing/graphs.ts'

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
  const { folder: blobsFolder, blobs, blobsLocation } = await openTestBlobs(t)
  const store = createSolveStore(database)
  const { team, documents } = await givenDocuments(database, 1000, contents)
  return {
    database,
    store,
    team,
    documents,
    blobs,
    blobsFolder,
    tenths: async () => (await readTeam(database, team.key)).tenths,
    requestAll: () =>
      store.request(
        team.key,
        documents.map(({ key }) => key),
      ),
    startPool(options: Partial<PoolOptions> = {}, change: Partial<SolveStore> = {}) {
      const contents = createDocumentContents(database, blobs)
      const referencedModels = createReferencedModelStore(database)
      const parts = {
        database,
        store: { ...store, ...change },
        contents,
        referencedModels,
        blobs,
        blobsLocation,
        log: LOG,
      }
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

async function countBlobs(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => /[0-9a-f]{64}$/.test(name)).length
}

for (const kind of FEATURE_DATABASES) {
  describe(`a pool of solvers on ${kind.name}`, kind.options, () => {
    test('[JOB-7, JOB-8, JOB-10, JOB-13, JOB-15] given requested solves, when the pool is woken, then each succeeds or fails, and is charged', async (t) => {
      const { database, blobs, requestAll, startPool, tenths } = await open(t, kind, [
        points(),
        circle(),
        longList(9),
      ])
      const pool = startPool()
      await requestAll()
      pool.wake()
      const [solved, failed, plain] = await untilAll(database, ['solved', 'failed'])
      assert.deepEqual([solved!.state, failed!.state, plain!.state], ['solved', 'failed', 'solved'])
      for (const digest of [solved!.values_gzip, solved!.values_zstd, solved!.model, plain!.values_gzip]) {
        assert.ok(await blobs.has(digest!))
      }
      assert.deepEqual([plain!.model, solved!.units, solved!.model_objects], [null, 'none', 3])
      assert.match(failed!.reason!, /run in a circle/)
      const charged = [solved, failed, plain].reduce((sum, solve) => sum + solve!.credit_tenths!, 0)
      assert.equal(await tenths(), 10_000 - charged)
    })

    test('[JOB-31] given a team with long solves, when it uses all processes but one, then its next solve waits, and that of another team does not', async (t) => {
      const { database, store, team, requestAll, startPool } = await open(t, kind, [points(), points()])
      const other = await givenDocuments(database, 1000, [points()])
      const held = Promise.withResolvers<void>()
      const pool = startPool(
        {},
        {
          async complete(lease, outcome) {
            if (lease.team === team.key) await held.promise
            return store.complete(lease, outcome)
          },
        },
      )
      atEnd(t, async () => held.resolve())
      await requestAll()
      pool.wake()
      await untilAll(database, ['running', 'queued'])
      await until('one of them runs', async () =>
        (await readSolves(database)).some(({ state }) => state === 'running'),
      )
      await store.request(
        other.team.key,
        other.documents.map(({ key }) => key),
      )
      pool.wake()
      await until('the other team has its solution', async () =>
        (await readSolves(database)).some(({ state }) => state === 'solved'),
      )
      const states = (await readSolves(database)).map(({ state }) => state)
      assert.deepEqual(states, ['running', 'queued', 'solved'])
      held.resolve()
      await untilAll(database, ['solved'])
    })

    test('[JOB-30] given a database that is unavailable when a solve ends, then the solve is stored and charged once when the database is back', async (t) => {
      const { database, store, blobs, requestAll, startPool, tenths } = await open(t, kind, [points()])
      let tries = 0
      startPool(
        { pollMs: 50 },
        {
          async complete(lease, outcome) {
            if (++tries < 3) throw new DatabaseUnavailableError('unreachable', 'for a test')
            return store.complete(lease, outcome)
          },
        },
      )
      await requestAll()
      const [solved] = await untilAll(database, ['solved'])
      assert.equal(tries, 3)
      assert.equal(await tenths(), 10_000 - solved!.credit_tenths!)
      assert.ok(await blobs.has(solved!.values_gzip!))
    })

    test('[JOB-30] given a completion that was committed but not confirmed, when it is retried, then it is charged once and its blobs stay', async (t) => {
      const { database, store, blobs, requestAll, startPool, tenths } = await open(t, kind, [points()])
      const ended = Promise.withResolvers<boolean>()
      let tries = 0
      const pool = startPool(
        { pollMs: 50 },
        {
          async complete(lease, outcome) {
            const isEnded = await store.complete(lease, outcome)
            if (++tries === 1) throw new DatabaseUnavailableError('unreachable', 'for a test')
            ended.resolve(isEnded)
            return isEnded
          },
        },
      )
      await requestAll()
      assert.equal(await ended.promise, true)
      await pool.stop()
      const [solved] = await readSolves(database)
      assert.equal(await tenths(), 10_000 - solved!.credit_tenths!)
      for (const digest of [solved!.values_gzip, solved!.values_zstd, solved!.model])
        assert.ok(await blobs.has(digest!))
    })

    test('[JOB-15] given solves that another process requested, when the pool is not woken, then it finds them', async (t) => {
      const { database, requestAll, startPool } = await open(t, kind, [points()])
      startPool()
      await requestAll()
      await untilAll(database, ['solved'])
    })

    test('[JOB-8, JOB-13] given a document that exceeds the time limit, then it fails and costs no more than the limit, and the pool continues', async (t) => {
      const { database, requestAll, startPool, tenths } = await open(t, kind, [
        longList(500_000, 90),
        longList(9),
      ])
      await requestAll()
      startPool({ workers: 1, limits: { timeMs: 1200, memoryMb: 512 } })
      const [late, next] = await untilAll(database, ['solved', 'failed'])
      assert.equal(late!.state, 'failed')
      assert.match(late!.reason!, /^The solve took longer than 1\.2 s\. It was at /)
      assert.equal(next!.state, 'solved')
      // The solver stops itself after 95 % of the limit.
      assert.equal(late!.credit_tenths, 12)
      assert.equal(await tenths(), 10_000 - late!.credit_tenths! - next!.credit_tenths!)
    })

    test('[JOB-17] given a document that ends its solver process, then it fails after one attempt, and the pool continues', async (t) => {
      const { database, requestAll, startPool } = await open(t, kind, [doublingText(24), points()])
      await requestAll()
      startPool({ workers: 1, limits: { timeMs: 60_000, memoryMb: 16 } })
      const solves = await untilAll(database, ['solved', 'failed'])
      assert.deepEqual(
        solves.map(({ state, attempts }) => [state, attempts]),
        [
          ['failed', 1],
          ['solved', 1],
        ],
      )
      assert.match(solves[0]!.reason!, /^The solve .* It was at "/)
    })

    test('[JOB-35, JOB-5] given a solve whose process is killed, then it is solved by the next one, and is interrupted after three', {
      skip: noProc,
    }, async (t) => {
      const { database, store, team, documents, startPool, tenths } = await open(t, kind, [
        points(),
        longList(300_000, 60),
      ])
      const [quick, slow] = documents.map(({ key }) => key)
      const pool = startPool()
      await store.request(team.key, [quick!])
      pool.wake()
      const [started] = await until('a process solves it', async () => {
        const found = listChildren('solve-document')
        return found.length > 0 && found
      })
      process.kill(started!.pid, 'SIGKILL')
      const [solved] = await untilAll(database, ['solved', 'failed'])
      assert.deepEqual([solved!.state, solved!.attempts], ['solved', 2])
      const before = await tenths()
      await store.request(team.key, [slow!])
      pool.wake()
      const ended = await until('the other one is interrupted', async () => {
        for (const { pid } of listChildren('solve-document')) process.kill(pid, 'SIGKILL')
        return (await readSolves(database)).find(({ state }) => state === 'failed')
      })
      assert.match(ended.reason!, /^The solve was interrupted 3 times: /)
      assert.equal(await tenths(), before)
    })

    test('[JOB-14] given a running solve, when the pool is stopped, then it abandons the solve after the grace, and another pool completes it', async (t) => {
      const { database, requestAll, startPool } = await open(t, kind, [longList(20_000, 5)])
      await requestAll()
      const pool = startPool({ stopGraceMs: 0 })
      await untilAll(database, ['running'])
      await pool.stop()
      const [abandoned] = await readSolves(database)
      assert.deepEqual([abandoned!.state, abandoned!.attempts, abandoned!.lease_until], ['running', 0, 0])
      startPool()
      const [solved] = await untilAll(database, ['solved'])
      assert.equal(solved!.attempts, 1)
    })

    test('[JOB-14] given a running solve, when the pool is stopped, then it is completed within the grace', async (t) => {
      const { database, requestAll, startPool } = await open(t, kind, [longList(20_000, 5)])
      await requestAll()
      const pool = startPool()
      await untilAll(database, ['running'])
      await pool.stop()
      const [solve] = await readSolves(database)
      assert.equal(solve!.state, 'solved')
    })

    test('[JOB-4] given a solve that was taken over, when the first solver notices, then it stops, and its work is discarded', async (t) => {
      const { database, blobsFolder, requestAll, startPool, tenths } = await open(t, kind, [
        longList(1_000_000, 40),
      ])
      await requestAll()
      const pool = startPool({ leaseMs: 3000, workers: 1 })
      await untilAll(database, ['running'])
      // To a process whose clock is ahead every lease has expired, however often the pool renews its own.
      const ahead = createSolveStore(database, () => Date.now() + NEVER_MS)
      const second = await until('it is taken over', () => ahead.lease(TERMS))
      // Resolves at once: its solver has noticed, or the solve has ended.
      await pool.stop()
      const [solve] = await readSolves(database)
      assert.deepEqual([solve!.state, solve!.claimed_by], ['running', second.leaseId])
      assert.deepEqual([await tenths(), await countBlobs(blobsFolder)], [10_000, 0])
    })
  })
}
