import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { Gauge } from 'prom-client'
import { beginBackupRun, isBackupRunning } from '../../platform/blobs/backup-runs.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { DigestSet } from '../../platform/blobs/digest-set.ts'
import { registerProcess } from '../../platform/cluster/processes.ts'
import type { Database } from '../../platform/database/database.ts'
import { getSchemaVersion } from '../../platform/database/migrate.ts'
import { openAsItIs } from '../../platform/database/open-database.ts'
import { BASELINE_VERSION, MIGRATIONS, SCHEMA_VERSION } from '../../platform/database/schema/migrations.ts'
import { BACKED_UP, LEFT_OUT } from '../../platform/database/transfer/backed-up-tables.ts'
import { discardBlobs } from '../../team/content-blobs.ts'
import { unpackFormer } from '../../testing/before-1.0.ts'
import { BLOB_STORES } from '../../testing/blob-stores.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createCommandLine } from '../../testing/meadow-server.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { removeDiscardedBlobs } from '../housekeeping/garbage-collection.ts'
import { deleteObsoleteSolves } from '../solves/collect-garbage.ts'
import { createSolveStore } from '../solves/solves.store.ts'
import { backUp, type CopyProgress } from './back-up.ts'
import { createBackupGauge } from './backup-metrics.ts'
import { checkMoment } from './check-moment.ts'
import { type LineChunk, readChunks, writeLines } from './line-chunks.ts'
import { listMoments, type Moment } from './moments.ts'
import { restore } from './restore.ts'

const [SQLITE] = DATABASES as [TestDatabase]

type OpenedStore = Promise<{ blobs: BlobStore; folder?: string }>

/** A service with documents whose contents are blobs, and an empty target. */
async function givenService(
  t: TestContext,
  openTarget = openTestBlobs as (t: TestContext) => OpenedStore,
  kind = SQLITE,
) {
  const database = await kind.open(t)
  const { blobs, folder: blobsFolder } = await openTestBlobs(t)
  const fixtures = await givenTeam(database)
  const { blobs: target, folder: targetFolder = '' } = await openTarget(t)
  let documents = 0
  async function add(count: number): Promise<string[]> {
    const digests: string[] = []
    for (let i = 0; i < count; i++) {
      const { digest, size } = await blobs.put(randomBytes(100))
      digests.push(digest)
      await fixtures.document({ name: `Document ${++documents}`, content: { kind: 'blob', digest, size } })
    }
    return digests
  }
  const save = (options: { keep?: number } & CopyProgress = {}) =>
    backUp(
      { database, blobs, target, targetName: 'x', sessionSecret: { kind: 'none' }, keep: options.keep },
      options,
    )
  return { ...fixtures, database, blobs, target, blobsFolder, targetFolder, add, save }
}

async function restoreInto(t: TestContext, source: BlobStore, moment: Moment, kind = SQLITE) {
  const database = await kind.open(t)
  const { blobs } = await openTestBlobs(t)
  const parts = { source, moment, database, blobs, notify: () => {}, takeSecret: async () => {} }
  return { database, blobs, parts, run: () => restore(parts) }
}

const countDocuments = async ({ read }: Database): Promise<number> =>
  (await read.selectFrom('document').select('id').execute()).length

async function listAll(store: BlobStore): Promise<string[]> {
  const digests: string[] = []
  for await (const { digest } of store.list()) digests.push(digest)
  return digests.sort()
}

test('[BAK-2] given the tables of this version, then each is backed up or left out for a reason', async (t) => {
  const database = await DATABASES[0]!.open(t)
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'
      and name not like 'document_search_%'`.execute(database.read as never)
  const known = new Set<string>([...BACKED_UP, ...Object.keys(LEFT_OUT)])
  const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name))
  assert.deepEqual(unknown, [], 'add them to platform/database/transfer/backed-up-tables.ts')
})

for (const place of BLOB_STORES) {
  describe(`a backup in ${place.name}`, place.options, () => {
    test('[BAK-3] [BAK-5] [BAK-11] given a service, when it is saved several times, checked and restored, then what is new is copied, what is old is removed, and all of it is there again', async (t) => {
      const { add, save, target } = await givenService(t, place.open)
      const digests = await add(12)
      const first = await save()
      assert.deepEqual([first.blobs.copied, first.blobs.present], [12, 0])
      const more = await add(1)
      const { blobs, moment, removed } = await save({ keep: 1 })
      assert.deepEqual([blobs.copied, blobs.present, removed.moments], [1, 12, 1])
      assert.deepEqual(await listMoments(target), [moment])
      assert.deepEqual(await checkMoment(target, moment), { parts: [], blobs: [] })
      const restored = await restoreInto(t, target, moment)
      assert.equal((await restored.run()).copied, 13)
      assert.deepEqual(await listAll(restored.blobs), [...digests, ...more].sort())
      assert.equal(await countDocuments(restored.database), 13)
      assert.deepEqual(await target.listMetadata('running-'), [])
    })
  })
}

test('[BAK-3] given a service that was saved, when a document is added and it is saved again, then only what is new is copied', async (t) => {
  const { add, save, target } = await givenService(t)
  await add(5)
  const first = await save()
  assert.deepEqual([first.blobs.copied, first.blobs.present], [5, 0])
  const before = new Set(await listAll(target))
  const again = await save()
  assert.deepEqual([again.blobs.copied, again.blobs.present], [0, 5])
  // The same rows are the same blobs: only the manifest can be new.
  const added = (await listAll(target)).filter((digest) => !before.has(digest))
  assert.ok(added.length <= 1, `${added.length} blobs are new`)
  const [digest] = await add(1)
  const third = await save()
  assert.deepEqual([third.blobs.copied, third.blobs.present], [1, 5])
  assert.ok(await target.has(digest!))
})

test('[BAK-3] given lines in chunks, when some are inserted, removed or changed, then few chunks are new, and the lines are read back', async (t) => {
  const { blobs } = await openTestBlobs(t)
  const lines = Array.from({ length: 3000 }, (_, i) => `["line ${i}",${(i * 7919) % 1000}]`)
  async function* inPortions(all: readonly string[]) {
    for (let at = 0; at < all.length; at += 700) yield all.slice(at, at + 700)
  }
  const read = async (chunks: readonly LineChunk[]) =>
    (await Array.fromAsync(readChunks(blobs, chunks))).flat()
  const chunks = await writeLines(blobs, inPortions(lines), 1000)
  assert.ok(chunks.length > 30, String(chunks.length))
  const digests = new Set(chunks.map(({ digest }) => digest))
  const changed = lines.with(1500, 'changed').toSpliced(700, 1).toSpliced(2000, 0, 'inserted')
  const others = await writeLines(blobs, inPortions(changed), 1000)
  const fresh = others.filter(({ digest }) => !digests.has(digest))
  assert.ok(fresh.length >= 1 && fresh.length <= 6, String(fresh.length))
  assert.deepEqual(await read(chunks), lines)
  assert.deepEqual(await read(others), changed)
})

test('[BAK-4] given a backup that is interrupted, then it leaves no moment, and the next one copies only what is missing', async (t) => {
  const { add, save, target } = await givenService(t)
  await add(40)
  const stop = new AbortController()
  let copied = 0
  const onBlob = () => {
    if (++copied === 10) stop.abort()
  }
  await assert.rejects(save({ signal: stop.signal, onBlob }), { name: 'AbortError' })
  assert.deepEqual(await listMoments(target), [])
  assert.deepEqual(await target.listMetadata(''), [])
  const { blobs, moment } = await save()
  assert.equal(blobs.copied + blobs.present, 40)
  assert.ok(blobs.present >= 10)
  assert.deepEqual(
    (await listMoments(target)).map(({ id }) => id),
    [moment.id],
  )
})

test('[BAK-4] given a restore that is interrupted, then the service is empty still, and the next one copies only what is missing', async (t) => {
  const { add, save, target } = await givenService(t)
  await add(40)
  const { moment } = await save()
  const { parts, run, database } = await restoreInto(t, target, moment)
  const stop = new AbortController()
  let copied = 0
  const onBlob = () => {
    if (++copied === 10) stop.abort()
  }
  await assert.rejects(restore(parts, { signal: stop.signal, onBlob }), { name: 'AbortError' })
  assert.equal(await countDocuments(database), 0)
  // After all blobs, among the rows.
  const late = new AbortController()
  const onRows = (_count: number, table: string) => {
    if (table === 'team') late.abort()
  }
  await assert.rejects(restore(parts, { signal: late.signal, onRows }), { name: 'AbortError' })
  assert.equal(await countDocuments(database), 0)
  const blobs = await run()
  assert.deepEqual([blobs.copied, blobs.present], [0, 40])
  assert.equal(await countDocuments(database), 40)
})

for (const kind of DATABASES) {
  describe(`a restore that is killed on ${kind.name}`, kind.options, () => {
    /** Without tables, on which every transaction after so many commits fails as if the process were gone. */
    async function openEmpty(t: TestContext) {
      const database = await openAsItIs(await kind.createLocation(t, { empty: true }))
      t.after(() => database.close())
      const killedAfter = (commits: number): Database => {
        let left = commits
        const transaction = async (work: never) => {
          if (left === 0) throw new Error('killed')
          left--
          return await database.transaction(work)
        }
        return Object.create(database, { transaction: { value: transaction } })
      }
      return { database, killedAfter }
    }

    test('[BAK-4] given a restore of this version that is killed after its tables or its rows, when it is repeated, then it goes on, and all is there', async (t) => {
      const { add, save, target } = await givenService(t)
      await add(3)
      const { moment } = await save()
      const { blobs } = await openTestBlobs(t)
      const { database, killedAfter } = await openEmpty(t)
      const parts = { source: target, moment, blobs, notify: () => {}, takeSecret: async () => {} }
      await assert.rejects(restore({ ...parts, database: killedAfter(MIGRATIONS.length) }), /^Error: killed$/)
      assert.equal(await getSchemaVersion(database), SCHEMA_VERSION)
      // No step is left before the rows, so that the second commit is the rows.
      await assert.rejects(restore({ ...parts, database: killedAfter(2) }), /^Error: killed$/)
      assert.equal(await countDocuments(database), 3)
      const other = { ...moment, id: 'another-moment' }
      await assert.rejects(restore({ ...parts, moment: other, database }), /repeat that with "--moment /)
      await restore({ ...parts, database })
      assert.equal(await countDocuments(database), 3)
      await assert.rejects(restore({ ...parts, database }), /not empty: it has teams or people/)
    })
  })

  describe(`a backup of a busy service on ${kind.name}`, kind.options, () => {
    test('[BAK-1] [BAK-7] given documents that are added, changed and deleted, and garbage that is collected, while a backup runs, then it has all rows and blobs of its moment, and nothing of later', async (t) => {
      const { add, save, target, database, blobs } = await givenService(t, openTestBlobs, kind)
      const before = await add(10)
      const names = async ({ read }: Database) =>
        (await read.selectFrom('document').orderBy('id').select('name').execute()).map(({ name }) => name)
      const expected = await names(database)
      let tables = 0
      const changes: Promise<unknown>[] = []
      const change = async () => {
        await add(1)
        await database.transaction(async (write) => {
          await write.updateTable('document').set({ name: 'Renamed' }).execute()
          await discardBlobs(write, before)
          await write.deleteFrom('document_snapshot').where('blob', 'in', before).execute()
        })
        await removeDiscardedBlobs(database, blobs, Date.now() + 60_000)
      }
      // Its moment is there when the first rows have been read.
      const onRows = () => {
        if (tables++ === 0) changes.push(change())
      }
      const onBlobs = async () => void (await Promise.all(changes))
      const { moment, blobs: copies } = await save({ onRows, onBlobs })
      await Promise.all(changes)
      assert.deepEqual([copies.faults, moment.documents], [[], 10])
      assert.deepEqual(new Set(await names(database)), new Set(['Renamed']))
      const restored = await restoreInto(t, target, moment, kind)
      await restored.run()
      assert.deepEqual(await names(restored.database), expected)
      assert.deepEqual(await listAll(restored.blobs), before.sort())
    })
  })

  describe(`a backup on ${kind.name}`, kind.options, () => {
    test('[BAK-14] given no backup, a failed one, and then one that saved a moment, when metrics are read, then its age is there after the last one', async (t) => {
      const database = await kind.open(t)
      const gauge = createBackupGauge(database) as Gauge
      const values = async () => (await gauge.get()).values.map(({ value }) => value)
      assert.deepEqual(await values(), [])
      await (await beginBackupRun(database, 'file:///backup'))[Symbol.asyncDispose]()
      assert.deepEqual(await values(), [])
      const run = await beginBackupRun(database, 'file:///backup')
      await run.complete('a-moment')
      await run[Symbol.asyncDispose]()
      await database.transaction((write) =>
        write
          .updateTable('backup_run')
          .set((row) => ({ ended_at: row('ended_at', '-', 90_000) }))
          .execute(),
      )
      const [age, ...others] = await values()
      assert.deepEqual([others, age! >= 90 && age! < 900], [[], true])
    })

    test('[BAK-7] given a backup that runs, when garbage is collected, then nothing is removed; after its end, or its death, it is', async (t) => {
      const database = await kind.open(t)
      const { blobs } = await openTestBlobs(t)
      const { digest } = await blobs.put(Buffer.from('unreferenced'))
      await database.transaction((write) =>
        write.insertInto('discarded_blob').values({ digest, discarded_at: 1 }).execute(),
      )
      const solves = createSolveStore(database)
      const later = Date.now() + 60_000
      await using run = await beginBackupRun(database, 'file:///backup')
      assert.equal(await removeDiscardedBlobs(database, blobs, later), 0)
      assert.equal(await deleteObsoleteSolves(solves, blobs, later), 0)
      assert.deepEqual(await solves.listObsolete(later, 10), [])
      assert.ok(await blobs.has(digest))
      await run.complete('a-moment')
      assert.equal(await isBackupRunning(database), false)
      await using _dead = await beginBackupRun(database, 'file:///backup')
      assert.equal(await isBackupRunning(database), true)
      await database.transaction((write) =>
        write
          .updateTable('backup_run')
          .set((row) => ({ lease_until: row('lease_until', '-', 600_000) }))
          .where('lease_until', 'is not', null)
          .execute(),
      )
      assert.equal(await removeDiscardedBlobs(database, blobs, later), 1)
      assert.equal(await blobs.has(digest), false)
    })
  })
}

test('[BAK-8] given blobs that are missing or damaged, when the service is saved and restored, then all others are there, and these are named', async (t) => {
  const { add, save, target, blobs, blobsFolder } = await givenService(t)
  const [missing, damaged, good] = (await add(3)) as [string, string, string]
  await blobs.remove(missing)
  await writeFile(join(blobsFolder, damaged.slice(0, 2), damaged), 'other bytes')
  const { moment, blobs: copies } = await save()
  const named = (faults: readonly { digest: string; fault: string }[]) =>
    faults.map(({ digest, fault }) => `${fault} ${digest}`).sort()
  const expected = [`missing ${missing}`, `damaged ${damaged}`].sort()
  assert.deepEqual(named(copies.faults), expected)
  assert.equal(moment.faults, 2)
  assert.ok(await target.has(good))
  const restored = await restoreInto(t, target, moment)
  const { faults } = await restored.run()
  assert.deepEqual(named(faults), [`missing ${missing}`, `missing ${damaged}`].sort())
  assert.equal(await countDocuments(restored.database), 3)
})

test('[BAK-9] given a moment, when a byte of any of its parts is changed or a part is removed, then the check names that, and rows of it are not written', async (t) => {
  const { add, save, target, targetFolder } = await givenService(t)
  const contents = new Set(await add(3))
  const { moment } = await save()
  const healthy = await checkMoment(target, moment)
  assert.deepEqual(healthy, { parts: [], blobs: [] })
  const { run, database } = await restoreInto(t, target, moment)
  for (const digest of await listAll(target)) {
    const path = join(targetFolder, digest.slice(0, 2), digest)
    const bytes = await readFile(path)
    const changed = Buffer.from(bytes)
    changed[bytes.length >> 1]! ^= 1
    await writeFile(path, changed)
    const { parts, blobs } = await checkMoment(target, moment)
    if (contents.has(digest)) assert.deepEqual([parts, blobs], [[], [{ digest, fault: 'damaged' }]])
    else {
      assert.equal(parts.length, 1)
      assert.match(parts[0]!, new RegExp(`${digest} of the backup is damaged`))
      await assert.rejects(run(), { name: 'DamagedBackupError' })
      assert.equal(await countDocuments(database), 0)
    }
    await target.remove(digest)
    const gone = await checkMoment(target, moment)
    assert.equal(gone.parts.length + gone.blobs.length, 1)
    await writeFile(path, bytes)
  }
})

test('[BAK-10] given a service that is not empty, or one whose processes run, when a moment is restored into it, then that is refused, and nothing is changed', async (t) => {
  const { add, save, target } = await givenService(t)
  await add(1)
  const { moment } = await save()
  const { run, database, parts } = await restoreInto(t, target, moment)
  const running = await registerProcess(database, { kind: 'serve', connections: 1 })
  await assert.rejects(run(), /A process of the service runs .* Stop it first/)
  await running.close()
  await assert.rejects(
    restore({ ...parts, moment: { ...moment, schema: BASELINE_VERSION - 1 } }),
    /from before 1\.0: restore it with that Meadow/,
  )
  await assert.rejects(
    restore({ ...parts, moment: { ...moment, schema: 999 } }),
    /with version 999 of the tables, and this Meadow knows \d+ at most/,
  )
  await givenTeam(database)
  await assert.rejects(run(), /not empty: it has teams or people/)
  assert.equal(await countDocuments(database), 0)
})

test('[BAK-13] given a data folder from before 1.0, when it is backed up, then it stays as it is, and a restore says which Meadow can make it', async (t) => {
  const { dataDir } = await unpackFormer(t)
  const target = await createFolder(t)
  const here = await createCommandLine(t, { MEADOW_DATA_DIR: dataDir })
  const saved = await here.json('backup', target)
  assert.deepEqual([saved.schema, saved.teams, saved.documents, saved.faults], [43, 1, 1, 0])
  const untouched = await openAsItIs({ dataDir })
  assert.equal(await getSchemaVersion(untouched), 43)
  await untouched.close()
  const there = await createCommandLine(t, { MEADOW_DATA_DIR: await createFolder(t) })
  const { code, stderr } = await there.run('restore', target)
  assert.equal(code, 1)
  assert.match(stderr, /from before 1\.0: restore it with that Meadow/)
})

test('[BAK-11] given several moments, when one more is saved and some are kept, then the older ones are gone with what only they need, and the others can be restored', async (t) => {
  const { add, save, target, database } = await givenService(t)
  const [first] = await add(1)
  await save()
  await database.transaction((write) => write.deleteFrom('document').execute())
  const [second] = await add(1)
  const kept = await save()
  await target.put(Buffer.from('left over from a run that was interrupted'))
  await add(1)
  const { moment, removed } = await save({ keep: 2 })
  assert.equal(removed.moments, 1)
  assert.deepEqual(
    (await listMoments(target)).map(({ id }) => id),
    [kept.moment.id, moment.id],
  )
  assert.deepEqual([await target.has(first!), await target.has(second!)], [false, true])
  for (const one of [kept.moment, moment]) {
    assert.deepEqual(await checkMoment(target, one), { parts: [], blobs: [] })
  }
  assert.equal((await save({ keep: 2 })).removed.moments, 1)
})

test('[BAK-12] given a backup that runs, when another one to the same target begins, then it is refused with the name of the first; after a death, it is not', async (t) => {
  const { add, save, target } = await givenService(t)
  await add(1)
  const other = (facts: object) =>
    target.writeMetadata(
      'running-0123456789abcdef',
      JSON.stringify({ host: 'elsewhere', pid: 7, at: Date.now(), ...facts }),
    )
  await other({})
  await assert.rejects(save(), /Another backup to this target is running: process 7 on "elsewhere"/)
  await other({ host: hostname(), pid: process.pid })
  await assert.rejects(save(), new RegExp(`process ${process.pid} on`))
  // No process has the highest number.
  await other({ host: hostname(), pid: 2 ** 22 + 1 })
  await save()
  await other({ at: Date.now() - 600_000 })
  await save()
  assert.deepEqual((await target.listMetadata('running-')).length, 0)
  const outcomes = await Promise.allSettled([save(), save(), save()])
  assert.ok(outcomes.filter(({ status }) => status === 'fulfilled').length <= 1)
})

test('[BAK-12] given the store of a service, when it is the target, then that is refused', async (t) => {
  const { add, save, target } = await givenService(t)
  await add(1)
  await target.writeMetadata('store', 'an-id')
  await assert.rejects(save(), /holds the files of a service itself/)
})

test('given digests in any order, then a set has those that were added and no others', () => {
  const digests = Array.from({ length: 4000 }, (_, i) => createHash('sha256').update(String(i)).digest('hex'))
  const added = digests.filter((_, i) => i % 3 !== 0)
  const set = new DigestSet()
  for (const digest of [...added, ...added]) set.add(digest)
  assert.equal(set.size, added.length)
  const expected = new Set(added)
  assert.ok(digests.every((digest) => set.has(digest) === expected.has(digest)))
})
