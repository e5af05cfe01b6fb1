import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { FEATURE_DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { deleteObsoleteSolves } from './collect-garbage.ts'
import type { Outcome } from './solves.store.ts'
import { createSolveStore } from './solves.store.ts'
import { failedIn, givenDocuments, readSolves, solvedIn, TERMS } from './testing/given-solves.ts'

async function open(t: TestContext, kind: TestDatabase) {
  const database = await kind.open(t)
  const blobs = await openDiskBlobs(await createFolder(t))
  const { team, documents } = await givenDocuments(database, 100, [{}])
  const clock = { now: 1000 }
  const store = createSolveStore(database, () => clock.now)
  /** Completes a solve at this time and returns the digest of its blobs. */
  const solve = async (at: number, toOutcome: (digest: string) => Outcome) => {
    clock.now = at
    const { digest } = await blobs.put(Buffer.from(`left at ${at}`))
    await store.request(team.key, [documents[0]!.key])
    assert.ok(await store.complete((await store.lease(TERMS))!, toOutcome(digest)))
    return digest
  }
  const listStates = async () => (await readSolves(database)).map(({ state }) => state)
  return { store, blobs, solve, listStates }
}

for (const kind of FEATURE_DATABASES) {
  describe(`obsolete solves on ${kind.name}`, kind.options, () => {
    test('[JOB-12] given a newer solution, when the retention time has passed, then the older solves and their blobs are deleted', async (t) => {
      const { store, blobs, solve, listStates } = await open(t, kind)
      const old = await solve(1000, (digest) => solvedIn(1, digest))
      await solve(2000, () => failedIn(1))
      const current = await solve(3000, (digest) => solvedIn(1, digest))
      assert.equal(await deleteObsoleteSolves(store, blobs, 3000), 0)
      assert.deepEqual([await blobs.has(old), await blobs.has(current)], [true, true])
      assert.equal(await deleteObsoleteSolves(store, blobs, 3001), 2)
      assert.deepEqual([await blobs.has(old), await blobs.has(current)], [false, true])
      assert.deepEqual(await listStates(), ['solved'])
      assert.equal(await deleteObsoleteSolves(store, blobs, 9000), 0)
    })

    test('[JOB-12] given a newer failure, when the retention time has passed, then the solution stays and earlier failures are deleted', async (t) => {
      const { store, blobs, solve, listStates } = await open(t, kind)
      const solution = await solve(1000, (digest) => solvedIn(1, digest))
      await solve(2000, () => failedIn(1))
      await solve(3000, () => failedIn(1))
      assert.equal(await deleteObsoleteSolves(store, blobs, 9000), 1)
      assert.equal(await blobs.has(solution), true)
      assert.deepEqual(await listStates(), ['solved', 'failed'])
    })
  })
}
