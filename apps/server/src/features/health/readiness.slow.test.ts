import assert from 'node:assert/strict'
import { rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { PROBE_NAME } from '../../platform/probe-folder.ts'
import { DATABASES } from '../../testing/databases.ts'
import { startFaultProxy } from '../../testing/fault-proxy.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { startServer } from '../../testing/start-server.ts'
import { until } from '../../testing/until.ts'
import { createReadiness } from './readiness.ts'

const [sqlite, postgres] = DATABASES

type Request = Awaited<ReturnType<typeof startServer>>['request']

/** Waits until `/readyz` has this status; returns its body. Each response has to come in time. */
const untilReadyz = (request: Request, status: number) =>
  until(`/readyz is ${status}`, async () => {
    const { json, headers, ...response } = await request('/readyz')
    if (response.status !== status) return undefined
    if (status === 503) assert.equal(headers.get('retry-after'), '5')
    return json
  })

// They wait for checks that hang or are repeated, most of the time.
describe('readiness', { concurrency: 4 }, () => {
  test('[RDY-1] given a full disk below the database or the files, then /readyz states it, and is ready again when there is room', {
    skip: process.platform !== 'linux' && 'there is no /dev/full',
  }, async (t) => {
    const { request, dataDir } = await startServer(t)
    await untilReadyz(request, 200)
    const sentences = {
      [dataDir]: 'The database cannot be written: the disk is full.',
      [join(dataDir, 'blobs', 'unfinished')]: 'The file store cannot be written: the disk is full.',
    }
    for (const [folder, error] of Object.entries(sentences)) {
      const probe = join(folder, PROBE_NAME)
      await rm(probe)
      // Writes fail there as on a full disk.
      await symlink('/dev/full', probe)
      assert.deepEqual(await untilReadyz(request, 503), { error })
      await rm(probe)
      await untilReadyz(request, 200)
    }
  })

  test('[RDY-1] given a missing folder of files, then /readyz states it, without its path', async (t) => {
    const { request, dataDir } = await startServer(t)
    const blobs = join(dataDir, 'blobs')
    await rename(blobs, `${blobs} elsewhere`)
    assert.deepEqual(await untilReadyz(request, 503), {
      error: 'The file store cannot be written: it does not exist.',
    })
    await rename(`${blobs} elsewhere`, blobs)
    await untilReadyz(request, 200)
  })

  test('[RDY-5] given a file store whose metadata is that of another service, then /readyz states it, and is ready again when it is right', async (t) => {
    const { request, service } = await startServer(t)
    const id = await service.blobs.readMetadata('store')
    await service.blobs.writeMetadata('store', 'another')
    assert.deepEqual(await untilReadyz(request, 503), {
      error: 'The file store is not the one that this service uses: its mark is missing or another one.',
    })
    await service.blobs.writeMetadata('store', id!)
    await untilReadyz(request, 200)
  })

  test('[RDY-1, DB-4] given a SQLite database that is full, when something is written, then /readyz says why, and reads go on', async (t) => {
    const { request, database, get } = await startServer(t)
    // The limit is on the file, so that a real write fails.
    const fill = database.transaction(async (write) => {
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(write)
      await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count)}`.execute(write)
      await sql`create table filling (bytes blob)`.execute(write)
      await sql`insert into filling values (zeroblob(1000000))`.execute(write)
    })
    await assert.rejects(fill, /cannot be written: the disk is full/)
    assert.deepEqual(await untilReadyz(request, 503), {
      error: 'The database cannot be written: the disk is full.',
    })
    assert.equal((await get('/team')).status, 200)
    await untilReadyz(request, 200)
  })

  test(
    '[RDY-1] given PostgreSQL that rejects connections, hangs or is read-only, then /readyz states it, and is ready again when it is over',
    postgres!.options,
    async (t) => {
      const { databaseUrl } = await postgres!.createLocation(t)
      const proxy = await startFaultProxy(t, databaseUrl!)
      const { request } = await startServer(t, { DATABASE_URL: proxy.url, MEADOW_SOLVE_WORKERS: '0' })
      for (const [fail, sentence] of [
        [
          proxy.refuse,
          /^The database cannot be reached: (nothing answers at that address|the connection was lost)\.$/,
        ],
        [proxy.freeze, /^The database (does not answer|cannot be reached: .*)\.$/],
      ] as const) {
        await untilReadyz(request, 200)
        fail()
        const { error } = await untilReadyz(request, 503)
        assert.match(error, sentence)
        await proxy.resume()
        await untilReadyz(request, 200)
      }
    },
  )

  test('[RDY-2] given a check that never ends, when many requests need it, then all are answered, and it was started once', async (t) => {
    let begun = 0
    const hanging = Promise.withResolvers<void>()
    const database = await sqlite!.open(t)
    const find = createReadiness({
      database: {
        read: database.read,
        checkWritable: () => {
          begun++
          return hanging.promise
        },
      },
      blobs: (await openTestBlobs(t)).blobs,
      findWrongStore: async () => undefined,
    })
    const faults = await Promise.all(Array.from({ length: 20 }, find))
    assert.deepEqual(new Set(faults), new Set(['The database does not answer.']))
    await find()
    assert.equal(begun, 1)
    hanging.resolve()
  })

  test('[RDY-2] given SQLite, when it is checked repeatedly, then the commit counter stays, so that caches are valid', async (t) => {
    const database = await sqlite!.open(t)
    const before = database.readCommitCounter()
    for (let time = 0; time < 5; time++) await database.checkWritable()
    assert.equal(database.readCommitCounter(), before)
  })
})
