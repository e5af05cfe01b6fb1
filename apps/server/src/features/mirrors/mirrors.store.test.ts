import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { MirrorCounts } from '@meadow/contract/web'
import { createUserStore } from '../../access/users.store.ts'
import { putFolderIntoBin } from '../../library/bin.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createChangeList } from './mirror-changes.ts'
import { createMirrorStore, MIRROR_LEASE_MS, MirrorError, type MirrorLease } from './mirrors.store.ts'

const NOTHING: MirrorCounts = {
  created: 0,
  updated: 0,
  moved: 0,
  restored: 0,
  unchanged: 0,
  binned: 0,
  gone: 0,
  left_in_bin: 0,
  conflict: 0,
  failed: 0,
  skipped: 0,
}

async function start(t: TestContext, kind: TestDatabase) {
  const database = await kind.open(t)
  const given = await givenTeam(database)
  const clock = { now: Date.UTC(2026, 0, 1) }
  const store = createMirrorStore(database, () => clock.now)
  const add = (folder = given.root.key, path = '/srv/definitions') =>
    store.add({ team: given.team, folder, name: 'Definitions', path, gone: 'keep', onConflict: 'keep' })
  const find = async (id: string) => (await store.find(id))!
  const lease = async (id: string) => (await store.lease((await find(id)).key)) as MirrorLease
  /** A run of a second. */
  const run = async (id: string, ended: Parameters<typeof store.complete>[1]) => {
    const taken = await lease(id)
    clock.now += 1000
    assert.equal(await store.complete(taken, ended), true)
  }
  return { ...given, database, store, clock, add, find, lease, run }
}

for (const kind of DATABASES) {
  describe(`mirrors on ${kind.name}`, kind.options, () => {
    test('[MIR-1] given a folder of the team, when mirrors are added, then it receives the contents of one, and the list has its name, path and options', async (t) => {
      const { store, root, team, folder, add } = await start(t, kind)
      const id = await add()
      await assert.rejects(add(root.key, '/srv/other'), (error) => {
        assert.ok(error instanceof MirrorError)
        assert.match(error.message, /contents of "\/srv\/definitions" \(mir_\w+\) already/)
        return true
      })
      const facades = await folder('Facades')
      await store.add({
        team,
        folder: facades.key,
        name: 'A',
        path: '/a',
        gone: 'bin',
        onConflict: 'copy',
      })
      const all = await store.list(team)
      assert.deepEqual(
        all.map(({ name, path, folder, gone, onConflict }) => [name, path, folder?.name, gone, onConflict]),
        [
          ['A', '/a', 'Facades', 'bin', 'copy'],
          ['Definitions', '/srv/definitions', 'Acme', 'keep', 'keep'],
        ],
      )
      await store.remove(all[1]!.key)
      assert.equal(await store.find(id), undefined)
      assert.equal((await store.list()).length, 1)
    })

    test('[MIR-2] given a process that runs a mirror, when another one asks for it, then it waits until the lease is over, or expires', async (t) => {
      const { store, clock, add, find, lease } = await start(t, kind)
      const id = await add()
      const { key } = await find(id)
      const first = await lease(id)
      assert.deepEqual(await store.lease(key), { expiresInMs: MIRROR_LEASE_MS })
      clock.now += MIRROR_LEASE_MS - 1
      assert.equal(await store.renew(first), true)
      clock.now += MIRROR_LEASE_MS - 1
      assert.ok('expiresInMs' in (await store.lease(key)))
      clock.now += 1
      const second = await lease(id)
      assert.equal(await store.renew(first), false)
      assert.equal(await store.complete(first, { state: 'done', counts: NOTHING }), false)
      assert.equal((await find(id)).lastRun?.state, 'running')
      assert.equal(await store.complete(second, { state: 'done', counts: NOTHING }), true)
      assert.equal((await find(id)).lastRun?.state, 'done')
    })

    test('[MIR-3] given a process that was killed, when its lease has expired, then the run counts as stopped, and stays so when the next one ends', async (t) => {
      const { store, clock, add, find, lease, run } = await start(t, kind)
      const id = await add()
      await lease(id)
      assert.equal((await find(id)).lastRun?.state, 'running')
      clock.now += MIRROR_LEASE_MS + 1
      const { lastRun, completedAt, key } = await find(id)
      assert.deepEqual([lastRun?.state, completedAt], ['stopped', null])
      assert.match(lastRun!.reason!, /ended before the run did/)
      await run(id, { state: 'partial', counts: { ...NOTHING, failed: 1 } })
      assert.equal((await find(id)).completedAt, clock.now)
      const runs = await store.listRuns(key)
      assert.deepEqual(
        runs.map(({ state }) => state),
        ['partial', 'stopped'],
      )
    })

    test('[MIR-4] given many runs, when they are listed, then the last twenty are there, those in a row that say the same once', async (t) => {
      const { store, clock, add, find, run } = await start(t, kind)
      const id = await add()
      const { key } = await find(id)
      for (let night = 0; night < 3; night++) await run(id, { state: 'done', counts: NOTHING })
      assert.deepEqual(
        (await store.listRuns(key)).map(({ endedAt }) => endedAt),
        [clock.now],
      )
      for (let night = 0; night < 22; night++) {
        const changes = [{ outcome: 'updated' as const, path: `${night}.gh` }]
        await run(id, { state: 'done', counts: { ...NOTHING, updated: 1 }, changes })
      }
      await run(id, { state: 'failed', reason: 'The folder is not there.' })
      const runs = await store.listRuns(key)
      assert.equal(runs.length, 20)
      assert.deepEqual(
        runs.slice(0, 2).map(({ state, changes }) => [state, changes[0]?.path]),
        [
          ['failed', undefined],
          ['done', '21.gh'],
        ],
      )
      assert.equal((await find(id)).completedAt, clock.now - 1000)
    })

    test('[MIR-5] given a mirror whose folder is put into the bin, when it is read, then it has no folder', async (t) => {
      const { database, team, folder, add, find } = await start(t, kind)
      const ann = await createUserStore(database).createUser({ name: 'Ann', email: 'ann@example.org' })
      const facades = await folder('Facades')
      const id = await add(facades.key)
      assert.equal((await find(id)).folder?.id, facades.id)
      await changeTeam(database, team, (change) => putFolderIntoBin(change, facades.key, ann.id))
      assert.equal((await find(id)).folder, undefined)
    })
  })
}

test('[MIR-4] given more changes than a run records, then failures are among those that it does', () => {
  const list = createChangeList()
  for (let index = 0; index < 1000; index++) list.add({ outcome: 'created', path: `${index}.gh` })
  list.add({ outcome: 'failed', path: 'broken.gh', reason: 'The file is empty' })
  const changes = list.list()
  assert.equal(changes.length, 101)
  assert.equal(changes[0]!.path, 'broken.gh')
})
