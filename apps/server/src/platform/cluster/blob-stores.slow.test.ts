import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createCatalogue } from '../../catalogue/catalogue.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import {
  type DiskLocation,
  openBlobs,
  readBlobsLocation,
  type StoreLocation,
  s3AccessIn,
} from '../blobs/open-blobs.ts'
import type { Database } from '../database/database.ts'
import {
  cancelMove,
  endMove,
  findWrongStore,
  finishMove,
  listBlobStores,
  openServiceBlobs,
  registerNext,
} from './blob-stores.ts'
import { registerProcess } from './processes.ts'

const openFor = (database: Database, location: StoreLocation) =>
  openServiceBlobs(database, location, (text) => readBlobsLocation(text, s3AccessIn('')))

/** A place for blobs. */
async function place(t: TestContext): Promise<DiskLocation> {
  return { kind: 'disk', folder: join((await openTestBlobs(t)).folder, 'blobs') }
}

/** Registers a process that uses the store, until the test is over. */
async function startProcess(t: TestContext, database: Database, blobStore: string) {
  const registered = await registerProcess(database, { kind: 'serve', connections: 1, blobStore })
  atEnd(t, registered.close)
  return registered
}

/** A service whose blobs are being moved. */
async function openMove(t: TestContext, database: Database) {
  const [here, there] = [await place(t), await place(t)]
  const current = await openFor(database, here)
  const { next } = await registerNext(database, await openBlobs(there), there)
  return { here, there, current, next }
}

for (const kind of DATABASES) {
  describe(kind.name, kind.options, () => {
    test('[MOVE-1] given a new service, when processes start at once and later, then all use the store of the first', async (t) => {
      const database = await kind.open(t)
      const here = await place(t)
      const opened = await Promise.all(Array.from({ length: 4 }, () => openFor(database, here)))
      opened.push(await openFor(database, here))
      assert.equal(new Set(opened.map(({ id }) => id)).size, 1)
      assert.equal((await listBlobStores(database.read)).length, 1)
      assert.equal(await findWrongStore(database, opened[0]!), undefined)
    })

    test('[MOVE-1] given a service, when a process starts on another place, then it is refused, and both places are named', async (t) => {
      const database = await kind.open(t)
      const [here, there] = [await place(t), await place(t)]
      await openFor(database, here)
      await assert.rejects(openFor(database, there), (error: Error) => {
        assert.ok(error.message.includes(here.folder) && error.message.includes(there.folder), error.message)
        assert.match(error.message, /Set MEADOW_BLOBS to the same place for every process/)
        return true
      })
      // The same place, whose disk is not mounted.
      await rm(here.folder, { recursive: true })
      await assert.rejects(openFor(database, here), /Is the disk mounted\?/)
    })

    test('[MOVE-1] given the store of another service, when a process starts on it, then it is refused, also when its service is new', async (t) => {
      const [theirs, ours, fresh] = [await kind.open(t), await kind.open(t), await kind.open(t)]
      const [there, here] = [await place(t), await place(t)]
      const { blobs } = await openFor(theirs, there)
      await openFor(ours, here)
      await blobs.put(Buffer.from('their document'))
      await assert.rejects(openFor(ours, there), /has the files of another service/)
      await assert.rejects(openFor(fresh, there), /has the files of another service/)
      assert.deepEqual(await listBlobStores(fresh.read), [])
    })

    test('[MOVE-1] given a service of an earlier version, when it starts on its files, also with the mark of an interrupted start, then it uses them', async (t) => {
      const database = await kind.open(t)
      const catalogue = createCatalogue(database)
      const team = await catalogue.createTeam({ name: 'Acme' })
      const folder = (await catalogue.findFolder(team.key, 'root'))!.key
      const here = await place(t)
      const blobs = await openBlobs(here)
      const { digest, size } = await blobs.put(Buffer.from('a large content'))
      await catalogue.changeTeam(team.key, (change) =>
        change.createDocument({
          folder,
          name: 'Tower',
          createdAt: 0,
          updatedAt: 0,
          content: { kind: 'blob', digest, size },
        }),
      )
      await blobs.writeMark('store', '00000000-0000-4000-8000-000000000000')
      const { id } = await openFor(database, here)
      assert.equal(id, '00000000-0000-4000-8000-000000000000')
    })

    test('[MOVE-2] given a move, when a process starts on the next store, then it has both; the former one is used as before', async (t) => {
      const database = await kind.open(t)
      const { here, there, current, next } = await openMove(t, database)
      const moved = await openFor(database, there)
      assert.deepEqual([moved.id, moved.location.kind], [next.id, 'moving'])
      assert.deepEqual(await openFor(database, here).then(({ id, location }) => [id, location]), [
        current.id,
        here,
      ])
      assert.equal(await findWrongStore(database, moved), undefined)
      // A machine that does not reach the former store.
      await rm(here.folder, { recursive: true })
      await assert.rejects(
        openFor(database, there),
        /some are still in .*, which this process does not reach/,
      )
    })

    test('[MOVE-5] given a process on the former store, when a move is finished, then that is refused until the process has stopped', async (t) => {
      const database = await kind.open(t)
      const { here, there, current, next } = await openMove(t, database)
      const before = await startProcess(t, database, current.id)
      await startProcess(t, database, next.id)
      await assert.rejects(finishMove(database), /Processes use the files in .*: serve \d+ on "/)
      await before.close()
      await finishMove(database)
      assert.deepEqual(
        (await listBlobStores(database.read)).map(({ id, state }) => [id, state]),
        [
          [next.id, 'current'],
          [current.id, 'former'],
        ],
      )
      // Until the last blobs are copied.
      const opened = await openFor(database, there)
      assert.equal(opened.location.kind, 'moving')
      await endMove(opened.blobs)
      assert.deepEqual((await openFor(database, there)).location, there)
      await assert.rejects(
        openFor(database, here),
        /were moved from .* to .*\. Set MEADOW_BLOBS to that place/,
      )
      // One that had opened it just before.
      await assert.rejects(startProcess(t, database, current.id), /have been moved to another store/)
      assert.match((await findWrongStore(database, current))!, /were moved to another store/)
    })

    test('[MOVE-5] given a process on the next store, when a move is cancelled, then that is refused until the process has stopped', async (t) => {
      const database = await kind.open(t)
      const { there, next } = await openMove(t, database)
      const started = await startProcess(t, database, next.id)
      await assert.rejects(cancelMove(database), /Processes use the files in/)
      await started.close()
      assert.equal((await cancelMove(database))?.id, next.id)
      assert.equal((await listBlobStores(database.read)).length, 1)
      await assert.rejects(openFor(database, there), /has the files of another service/)
    })

    test('[MOVE-5] given a move, when another one is begun, or one to the current store, then it is refused', async (t) => {
      const database = await kind.open(t)
      const { here, there, next } = await openMove(t, database)
      const elsewhere = await place(t)
      await assert.rejects(
        registerNext(database, await openBlobs(elsewhere), elsewhere),
        /are being moved to .* already/,
      )
      await assert.rejects(registerNext(database, await openBlobs(here), here), /are in .* already/)
      assert.equal((await registerNext(database, await openBlobs(there), there)).next.id, next.id)
    })
  })
}

test('[MOVE-1] given a store whose mark is gone or another one, then that is said', async (t) => {
  const database = await DATABASES[0]!.open(t)
  const store = await openFor(database, await place(t))
  await store.blobs.writeMark('store', 'another')
  assert.match((await findWrongStore(database, store))!, /is not the one that this service uses/)
  await store.blobs.removeMark('store')
  assert.match((await findWrongStore(database, store))!, /is not the one that this service uses/)
})
