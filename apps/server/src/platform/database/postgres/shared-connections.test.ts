import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { atEnd, type TestScope } from '../../../testing/at-end.ts'
import { DATABASES } from '../../../testing/databases.ts'
import { until } from '../../../testing/until.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

async function open(t: TestScope, connections?: number) {
  const location = await postgres.createLocation(t)
  const database = await openDatabase({ ...location, databaseConnections: connections })
  atEnd(t, () => database.close())
  const admin = new pg.Client(location.databaseUrl)
  await admin.connect()
  atEnd(t, () => admin.end())
  return { database, admin }
}

/** Prepared reads: one that tells its connection, and a long one. */
const prepareReads = (database: Database) => ({
  own: database.prepare(
    (_, { number }: { number: number }) =>
      sql<{ pid: number; number: number }>`select pg_backend_pid() as pid, ${number}::int as number`,
  ),
  long: database.prepare(
    (_, { seconds }: { seconds: number }) => sql<{ slept: string }>`select pg_sleep(${seconds}) as slept`,
  ),
})

describe('connections that reads share', postgres.options, () => {
  test('[DB-28] given many reads at once, then each gets its own answer, and few connections are used', async (t) => {
    const { database } = await open(t)
    const { own } = prepareReads(database)
    const answers = await Promise.all(Array.from({ length: 200 }, (_, number) => own.all({ number })))
    assert.deepEqual(
      answers.map(([row]) => row!.number),
      [...answers.keys()],
    )
    assert.ok(new Set(answers.map(([row]) => row!.pid)).size <= 10)
    // On a busy machine the second read could otherwise find that the first one has been running for long.
    const now = performance.now()
    t.mock.method(performance, 'now', () => now)
    const [one, other] = await Promise.all([own.first({ number: 1 }), own.first({ number: 2 })])
    assert.equal(one!.pid, other!.pid)
  })

  test('[DB-28] given a read that fails among others on its connection, then only that one fails', async (t) => {
    const { database } = await open(t)
    const { own } = prepareReads(database)
    const divide = database.prepare(
      (_, { by }: { by: number }) => sql<{ result: number }>`select 1 / ${by}::int as result`,
    )
    const missing = database.prepare(() => sql`select * from a_table_that_is_missing`)
    const reads = Array.from({ length: 20 }, (_, number) => [
      own.first({ number }).then((row) => assert.equal(row!.number, number)),
      assert.rejects(divide.first({ by: 0 }), /division by zero/),
      assert.rejects(missing.first({}), /a_table_that_is_missing/),
    ])
    await Promise.all(reads.flat())
    assert.deepEqual(await divide.all({ by: 1 }), [{ result: 1 }])
  })

  test('[DB-28] given long reads, when short ones come, then they do not wait for them', async (t) => {
    const { database, admin } = await open(t)
    const { own, long } = prepareReads(database)
    let isOver = false
    const longs = Promise.allSettled(Array.from({ length: 3 }, () => long.all({ seconds: 600 })))
    void longs.then(() => {
      isOver = true
    })
    const sleeping = async () =>
      (
        await admin.query(`select pid from pg_stat_activity where query like 'select pg_sleep%'
        and state = 'active' and now() - query_start > interval '20 ms' and datname = current_database()`)
      ).rows
    await until('one has been running for long', async () => (await sleeping()).length > 0)
    for (let number = 0; number < 10; number++) await own.all({ number })
    assert.equal(isOver, false)
    while (!isOver) {
      await admin.query(`select pg_cancel_backend(pid) from pg_stat_activity
        where query like 'select pg_sleep%' and datname = current_database()`)
    }
    await longs
  })

  test('[DB-28] given reads on a connection that is lost, then each is tried again, and their callers do not notice', async (t) => {
    const { database, admin } = await open(t)
    const { own, long } = prepareReads(database)
    const first = long.all({ seconds: 0.3 })
    const others = Array.from({ length: 3 }, (_, number) => own.first({ number }))
    await until('the first runs', async () => {
      const { rowCount } = await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where query like 'select pg_sleep%' and state = 'active' and datname = current_database()`)
      return rowCount! > 0
    })
    assert.equal((await first).length, 1)
    assert.deepEqual(
      (await Promise.all(others)).map((row) => row!.number),
      [0, 1, 2],
    )
  })

  test('[DB-28] given reads that have ended a moment ago, when transactions need every connection, then they get them', async (t) => {
    const { database } = await open(t, 3)
    const { own } = prepareReads(database)
    await Promise.all(Array.from({ length: 10 }, (_, number) => own.all({ number })))
    const together = Promise.withResolvers<void>()
    let begun = 0
    const transactions = Array.from({ length: 3 }, () =>
      database.transaction(async (write) => {
        await sql`select 1`.execute(write)
        if (++begun === 3) together.resolve()
        await together.promise
      }),
    )
    await Promise.all(transactions)
  })
})
