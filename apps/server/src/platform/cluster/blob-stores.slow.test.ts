import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createDocument } from '../../library/documents.ts'
import { findFolder } from '../../library/folders.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { createTeam } from '../../team/teams.ts'
import { DATABASES } from '../../testing/databases.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { type DiskLocation, openBlobs } from '../blobs/open-blobs.ts'
import {
  beginMove,
  cancelMove,
  findWrongStore,
  finishMove,
  listBlobStores,
  openServiceBlobs,
} from './blob-stores.ts'
import { registerProcess } from './processes.ts'

/** A place for blobs. */
async function place(t: TestContext): Promise<DiskLocation> {
  return { kind: 'disk', folder: join((await openTestBlobs(t)).folder, 'blobs') }
}

async function openPlace(t: TestContext) {
  const location = await place(t)
  return { location, blobs: await openBlobs(location) }
}

for (const kind of DATABASES) {
  describe(kind.name, kind.options, () => {
    test('[MOVE-1] given a new service, when processes start at once and later, then all use the store of the first', async (t) => {
      const database = await kind.open(t)
      const here = await place(t)
      const opened = await Promise.all(Array.from({ length: 4 }, () => openServiceBlobs(database, here)))
      opened.push(await openServiceBlobs(database, here))
      assert.equal(new Set(opened.map(({ id }) => id)).size, 1)
      assert.equal((await listBlobStores(database.read)).length, 1)
      assert.equal(await findWrongStore(database, opened[0]!), undefined)
    })

    test('[MOVE-1] given a service, when a process starts on another place, then it is refused, and both places are named', async (t) => {
      const database = await kind.open(t)
      const [here, there] = [await place(t), await place(t)]
      await openServiceBlobs(database, here)
      await assert.rejects(openServiceBlobs(database, there), (error: Error) => {
        assert.ok(error.message.includes(here.folder) && error.message.includes(there.folder), error.message)
        assert.match(error.message, /Set MEADOW_BLOBS to the same place for every process/)
        return true
      })
      // The same place, whose disk is not mounted.
      await rm(here.folder, { recursive: true })
      await assert.rejects(openServiceBlobs(database, here), /Is the disk mounted\?/)
    })

    test('[MOVE-1] given the store of another service, when a process starts on it, then it is refused, also when its service is new', async (t) => {
      const [theirs, ours, fresh] = [await kind.open(t), await kind.open(t), await kind.open(t)]
      const [there, here] = [await place(t), await place(t)]
      const { blobs } = await openServiceBlobs(theirs, there)
      await openServiceBlobs(ours, here)
      await blobs.put(Buffer.from('their document'))
      await assert.rejects(openServiceBlobs(ours, there), /has the files of another service/)
      await assert.rejects(openServiceBlobs(fresh, there), /has the files of another service/)
      assert.deepEqual(await listBlobStores(fresh.read), [])
    })

    test('[MOVE-1] given a service of an earlier version, when it starts on its files, also with the metadata of an interrupted start, then it uses them', async (t) => {
      const database = await kind.open(t)

      const team = await createTeam(database, { name: 'Acme' })
      const folder = (await findFolder(database.read, team.key, 'root'))!.key
      const here = await place(t)
      const blobs = await openBlobs(here)
      const { digest, size } = await blobs.put(Buffer.from('a large content'))
      await changeTeam(database, team.key, (change) =>
        createDocument(change, {
          folder,
          name: 'Tower',
          createdAt: 0,
          updatedAt: 0,
          content: { kind: 'blob', digest, size },
        }),
      )
      await blobs.writeMetadata('store', '00000000-0000-4000-8000-000000000000')
      const { id } = await openServiceBlobs(database, here)
      assert.equal(id, '00000000-0000-4000-8000-000000000000')
    })

    test('[MOVE-2] given a process that runs, when a move is begun, then it is refused until the process has stopped', async (t) => {
      const database = await kind.open(t)
      const [from, to] = [await openPlace(t), await openPlace(t)]
      const { id } = await openServiceBlobs(database, from.location)
      const process = await registerProcess(database, { kind: 'serve', connections: 1, blobStore: id })
      await assert.rejects(beginMove(database, from, to), /Processes use the files in .*: serve \d+ on "/)
      assert.equal((await listBlobStores(database.read)).length, 1)
      await process.close()
      assert.equal((await beginMove(database, from, to)).state, 'next')
    })

    test('[MOVE-2] given a move, when a process starts or goes on, then it is refused on either store until the end', async (t) => {
      const database = await kind.open(t)
      const [from, to] = [await openPlace(t), await openPlace(t)]
      const before = await openServiceBlobs(database, from.location)
      const next = await beginMove(database, from, to)
      for (const { location } of [from, to])
        await assert.rejects(openServiceBlobs(database, location), /are being moved to .*--cancel/)
      // A process that had opened the store before, and one that counted as dead.
      const late = { kind: 'serve', connections: 1, blobStore: before.id } as const
      await assert.rejects(registerProcess(database, late), /were moved to another store, or are being moved/)
      assert.match((await findWrongStore(database, before))!, /are being moved to/)
      await finishMove(database, next)
      assert.equal((await openServiceBlobs(database, to.location)).id, next.id)
      await assert.rejects(
        openServiceBlobs(database, from.location),
        /were moved from .* to .*\. Set MEADOW_BLOBS to that place/,
      )
      await assert.rejects(registerProcess(database, late), /were moved to another store/)
      assert.match((await findWrongStore(database, before))!, /were moved to another store/)
    })

    test('[MOVE-2] given a move that was interrupted, when it is begun again, cancelled, or another one is, then there is one move at a time', async (t) => {
      const database = await kind.open(t)
      const [from, to, elsewhere] = [await openPlace(t), await openPlace(t), await openPlace(t)]
      const { id } = await openServiceBlobs(database, from.location)
      const next = await beginMove(database, from, to)
      assert.equal((await beginMove(database, from, to)).id, next.id)
      await assert.rejects(beginMove(database, from, elsewhere), /are being moved to /)
      await assert.rejects(beginMove(database, from, from), /are in .* already/)
      assert.equal((await cancelMove(database))?.id, next.id)
      await assert.rejects(finishMove(database, next), /cancelled or ended/)
      assert.equal((await openServiceBlobs(database, from.location)).id, id)
    })
  })
}

test('[MOVE-1] given a store whose metadata is gone or another one, then that is said', async (t) => {
  const database = await DATABASES[0]!.open(t)
  const store = await openServiceBlobs(database, await place(t))
  await store.blobs.writeMetadata('store', 'another')
  assert.match((await findWrongStore(database, store))!, /is not the one that this service uses/)
  await store.blobs.removeMetadata('store')
  assert.match((await findWrongStore(database, store))!, /is not the one that this service uses/)
})
