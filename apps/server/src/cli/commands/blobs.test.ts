import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createDocument } from '../../library/documents.ts'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { atEnd } from '../../testing/at-end.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { startServer } from '../../testing/start-server.ts'

/** A service with a large document, whose files can be moved to `there`. */
async function open(t: TestContext) {
  const there = join(await createFolder(t), 'blobs')
  const address = pathToFileURL(there).href
  const server = await startServer(t, { MEADOW_SOLVE_WORKERS: '0' })
  const { fixtures, team, dataDir, service } = server
  const { digest } = await service.blobs.put(Buffer.from('a file of the service'))
  const before = await createCommandLine(t, { MEADOW_DATA_DIR: dataDir })
  const after = await createCommandLine(t, { MEADOW_DATA_DIR: dataDir, MEADOW_BLOBS: address })
  return { ...server, fixtures, team, there, address, digest, before, after }
}

test('[CLI-40] given a service, when its files are moved, then it has to be stopped, and serves them from the new place', async (t) => {
  const { service, dataDir, there, address, digest, before, after } = await open(t)
  const refused = await before.run('blobs', 'move', '--to', address)
  assert.deepEqual([refused.code, await openDiskBlobs(there).then((blobs) => blobs.has(digest))], [1, false])
  assert.match(refused.stderr, /Processes use the files in .*: serve \d+ on/)
  await service.stop()

  const { isDone, copied, faults } = await before.json('blobs', 'move', '--to', address)
  assert.deepEqual([isDone, copied, faults], [true, 1, []])
  const again = await before.run('blobs', 'move', '--to', address)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /were moved from .* Set MEADOW_BLOBS to that place/)
  const restarted = await startServer(t, {
    MEADOW_DATA_DIR: dataDir,
    MEADOW_BLOBS: address,
    MEADOW_SOLVE_WORKERS: '0',
  })
  assert.equal(await restarted.service.blobs.has(digest), true)
  assert.equal((await restarted.request('/readyz')).status, 200)
  const { stores } = await after.json('blobs', 'status')
  assert.deepEqual(
    stores.map(({ state, processes }: { state: string; processes: unknown[] }) => [state, processes.length]),
    [
      ['current', 1],
      ['former', 0],
    ],
  )
})

test('[CLI-40] given a damaged file, when files are moved without a process, then it is named, and the move ends with --skip-damaged only', async (t) => {
  const { service, dataDir, address, digest, before, after } = await open(t)
  await service.stop()
  await writeFile(join(dataDir, 'blobs', digest.slice(0, 2), digest), 'other bytes')
  const failed = await before.run('blobs', 'move', '--to', address)
  assert.equal(failed.code, 1)
  assert.match(failed.stderr, new RegExp(`The file ${digest} is damaged`))
  const done = await before.run('blobs', 'move', '--to', address, '--skip-damaged')
  assert.equal(done.code, 0)
  assert.match(done.stdout, /The files of this service are in file:/)
  assert.equal((await after.json('blobs', 'status')).stores[0].state, 'current')
})

test('[CLI-40] given a move that did not end, when it is cancelled, then the next store is as free as before', async (t) => {
  const { service, dataDir, address, there, digest, before } = await open(t)
  await service.stop()
  assert.equal((await before.run('blobs', 'move', '--cancel')).code, 1)
  await writeFile(join(dataDir, 'blobs', digest.slice(0, 2), digest), 'other bytes')
  assert.equal((await before.run('blobs', 'move', '--to', address)).code, 1)
  await before.json('blobs', 'move', '--cancel')
  assert.deepEqual(await (await openDiskBlobs(there)).listMetadata(''), [])
  assert.equal((await before.json('blobs', 'status')).stores.length, 1)
})

test('[CLI-41] given files that were copied by hand, when they are adopted, then nothing that is referred to may be missing, unless that is said', async (t) => {
  const { service, database, fixtures, team, dataDir, there, after } = await open(t)
  const root = await fixtures.root(team)
  const content = { kind: 'blob', digest: 'ab'.repeat(32), size: 9 } as const
  const properties = { name: 'Tower', createdAt: 0, updatedAt: 0, folder: root.key, content }
  await changeTeam(database, team.key, (change) => createDocument(change, properties))
  await service.stop()
  await mkdir(there, { recursive: true })
  const missing = await after.run('blobs', 'adopt')
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /1 files that the database refers to are not in/)
  await after.json('blobs', 'adopt', '--with-missing')
  await rm(join(dataDir, 'blobs'), { recursive: true })
  const again = await openDatabase({ dataDir })
  atEnd(t, () => again.close())
  assert.equal((await after.json('blobs', 'status')).stores[0].state, 'current')
})
