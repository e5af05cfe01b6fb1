import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DATABASES } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createMirrorStore, MIRROR_LEASE_MS, MirrorError, type MirrorLease } from './mirrors.store.ts'
import { MirrorBusyError, runMirror, type WorkResult } from './run-mirror.ts'

const ALL_READ = { unchanged: 8, interrupted: false }

async function start(t: TestContext) {
  const database = await DATABASES[0]!.open(t)
  const { team, root } = await givenTeam(database)
  // In the past, so that nobody waits until a lease expires.
  const clock = { now: Date.UTC(2020, 0, 1) }
  const store = createMirrorStore(database, () => clock.now)
  const folder = { team, folder: root.key, path: '/srv/definitions' }
  const id = await store.add({ ...folder, name: 'Definitions', gone: 'keep', onConflict: 'keep' })
  const { key } = (await store.find(id))!
  const { signal } = new AbortController()
  const run = (work: Parameters<typeof runMirror<WorkResult>>[1]['work']) =>
    runMirror(store, {
      mirror: key,
      signal,
      work,
      describe: (error) => `Because ${(error as Error).message}.`,
    })
  const lastRun = async () => (await store.listRuns(key))[0]!
  return { store, key, clock, run, lastRun }
}

test('[MIR-4] given a run, when it ends, then its state says whether all was read, and what changed and failed is recorded', async (t) => {
  const { run, lastRun } = await start(t)
  const failed = { outcome: 'failed', path: 'a.gh', reason: 'The file is empty' } as const
  await run(async ({ record }) => {
    record(failed)
    record({ outcome: 'created', path: 'b.gh' })
    return ALL_READ
  })
  const { counts, changes, ...partial } = await lastRun()
  assert.deepEqual([partial.state, changes.length, changes[0]], ['partial', 2, failed])
  assert.deepEqual([counts?.created, counts?.failed, counts?.updated, counts?.unchanged], [1, 1, 0, 8])
  await run(async () => ALL_READ)
  assert.equal((await lastRun()).state, 'done')
  await run(async () => ({ ...ALL_READ, interrupted: true }))
  assert.equal((await lastRun()).state, 'stopped')
  await assert.rejects(
    run(async () => {
      throw new Error('the drive is away')
    }),
    /the drive is away/,
  )
  const { state, reason } = await lastRun()
  assert.deepEqual([state, reason], ['failed', 'Because the drive is away.'])
})

test('[MIR-2] given a mirror that another process runs, when it is run, then that is rejected; after a kill it is run', async (t) => {
  const { store, key, clock, run, lastRun } = await start(t)
  await store.lease(key)
  const work = async () => ALL_READ
  await assert.rejects(run(work), MirrorBusyError)
  clock.now += MIRROR_LEASE_MS + 1
  await run(work)
  assert.equal((await lastRun()).state, 'done')
})

test('[MIR-2] given a process that was suspended until another one took over, when it continues, then it records nothing', async (t) => {
  const { store, key, clock, run, lastRun } = await start(t)
  let other: MirrorLease | undefined
  const late = run(async () => {
    clock.now += MIRROR_LEASE_MS + 1
    other = (await store.lease(key)) as MirrorLease
    return ALL_READ
  })
  await assert.rejects(late, (error) => error instanceof MirrorError && /taken over/.test(error.message))
  await store.complete(other!, { state: 'failed', reason: 'The other one.' })
  assert.equal((await lastRun()).reason, 'The other one.')
})
