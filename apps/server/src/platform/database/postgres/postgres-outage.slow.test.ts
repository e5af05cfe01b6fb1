import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { atEnd } from '../../../testing/at-end.ts'
import { createCapturedLog } from '../../../testing/captured-log.ts'
import { DATABASES } from '../../../testing/databases.ts'
import { startFaultProxy } from '../../../testing/fault-proxy.ts'
import { givenTeam } from '../../../testing/given-team.ts'
import { startPooler } from '../../../testing/pooler/start-pooler.ts'
import { until } from '../../../testing/until.ts'
import type { Database, Write } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import { DatabaseUnavailableError } from '../unavailable.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

/** The ways that statements take. */
const WAYS = ['directly', 'through a pooler'] as const

/** A database behind a proxy, and a way around it. */
async function openBehindProxy(t: TestContext, way: (typeof WAYS)[number]) {
  const { databaseUrl } = await postgres.createLocation(t)
  const url = way === 'directly' ? databaseUrl! : await startPooler(t, databaseUrl!)
  const proxy = await startFaultProxy(t, url)
  const captured = createCapturedLog()
  const location = { databaseUrl: proxy.url, databaseDirectUrl: databaseUrl, dataDir: '' }
  const database = await openDatabase(location, { log: captured.log })
  atEnd(t, () => database.close())
  const admin = new pg.Client(databaseUrl)
  await admin.connect()
  atEnd(t, () => admin.end())
  const { team } = await givenTeam(database)
  /** Ends what matches on the server's side; returns how many there were. */
  const terminate = async (which: string) => {
    const { rowCount } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'meadow%' and ${which}`,
    )
    return rowCount!
  }
  /** Those that are in a transaction. */
  const countConnections = async () => {
    const { rows } = await admin.query(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`,
    )
    return rows[0].count as number
  }
  const addCredit = (write: Write) =>
    write
      .updateTable('team')
      .set(({ eb }) => ({ credit_tenths: eb('credit_tenths', '+', 1) }))
      .where('id', '=', team)
      .execute()
  const readCredits = async () =>
    // This client reads `bigint` as text.
    Number((await admin.query('select credit_tenths from team where id = $1', [team])).rows[0].credit_tenths)
  return {
    ...{ database, location, proxy, admin, terminate, countConnections },
    ...{ addCredit, readCredits, lines: captured.lines },
  }
}

/** For plain SQL outside of a transaction, which only the type forbids. */
const queries = ({ read }: Database) => read as unknown as Write

const unavailable = (error: unknown) => error instanceof DatabaseUnavailableError

/** Resolves when a write succeeds again. */
const untilWritable = (database: Database): Promise<boolean> =>
  until('a write succeeds', () =>
    database.checkWritable().then(
      () => true,
      (error) => {
        assert.ok(unavailable(error), String(error))
        return false
      },
    ),
  )

// They wait for connections that are given up, most of the time.
for (const way of WAYS)
  describe(`PostgreSQL that goes away, reached ${way}`, { ...postgres.options, concurrency: 4 }, () => {
    test('[DB-6] given a read under way, when its connection is lost, then it is tried once more, and the caller does not notice', async (t) => {
      const { database, terminate } = await openBehindProxy(t, way)
      const sleep = database.prepare(
        (_, { seconds }: { seconds: number }) => sql<{ slept: string }>`select pg_sleep(${seconds}) as slept`,
      )
      const slept = sleep.all({ seconds: 0.5 })
      await until('the read runs', async () => (await terminate("query like 'select pg_sleep%'")) > 0)
      assert.equal((await slept).length, 1)
      // One that is lost each time is not tried forever.
      const lost = sleep.all({ seconds: 600 })
      let isLost = false
      const failed = assert.rejects(lost, unavailable).then(() => {
        isLost = true
      })
      await until(
        'it is given up',
        async () => (await terminate("query like 'select pg_sleep%'")) >= 0 && isLost,
      )
      await failed
    })

    test('[DB-1] given a transaction, when its connection is ended by the server, then it fails as unavailable, and the next one runs', async (t) => {
      const { database, terminate, countConnections, addCredit, readCredits } = await openBehindProxy(t, way)
      for (let time = 0; time < 3; time++) {
        const work = database.transaction(async (write) => {
          await addCredit(write)
          assert.equal(await terminate("state = 'idle in transaction'"), 1)
          // The client notices while it is acquired and runs no query: that ended the process.
          await until('the connection is gone', async () => (await countConnections()) === 0)
          await new Promise(setImmediate)
          await addCredit(write)
        })
        await assert.rejects(work, unavailable)
      }
      assert.equal(await readCredits(), 0)
      await database.transaction(addCredit)
      assert.equal(await readCredits(), 1)
    })

    test('[DB-1] given a statement that runs, when its connection is ended, then it fails as unavailable, and the client is not used again', async (t) => {
      const { database, terminate } = await openBehindProxy(t, way)
      const read = sql`select pg_sleep(60)`.execute(queries(database))
      const failed = assert.rejects(read, unavailable)
      await until('it runs', async () => (await terminate("query like '%pg_sleep%'")) > 0)
      await failed
      await Promise.all(Array.from({ length: 20 }, () => sql`select 1`.execute(queries(database))))
    })

    test('[DB-1] given connections that are reset, idle and in use, then what runs fails as unavailable, and what comes next succeeds', async (t) => {
      const { database, proxy, addCredit } = await openBehindProxy(t, way)
      await Promise.all(Array.from({ length: 10 }, () => sql`select 1`.execute(queries(database))))
      const begun = Promise.withResolvers<void>()
      const cut = Promise.withResolvers<void>()
      const work = database.transaction(async (write) => {
        await addCredit(write)
        begun.resolve()
        await cut.promise
        await addCredit(write)
      })
      const failed = assert.rejects(work, unavailable)
      await begun.promise
      proxy.cut()
      cut.resolve()
      await failed
      await untilWritable(database)
    })

    test('[DB-2] given a server that refuses connections, then everything fails at once, and goes on by itself when it is back; both are logged once', async (t) => {
      const { database, proxy, lines } = await openBehindProxy(t, way)
      proxy.refuse()
      const isNoticed = () => lines.some(({ level }) => level === 'warn')
      await until('the outage shows', () => database.checkWritable().then(() => false, isNoticed))
      for (let time = 0; time < 100; time++) await assert.rejects(database.checkWritable(), unavailable)
      await proxy.resume()
      await untilWritable(database)
      const said = lines.map(({ msg }) => msg)
      assert.deepEqual(said, ['the database cannot be reached', 'the database can be reached again'])
      assert.equal(lines[0]!.reason, 'nothing answers at that address')
    })

    test('[DB-3] given a server that accepts and never responds, then what runs and what comes fails, and goes on when it is back', async (t) => {
      const { database, proxy, addCredit, readCredits } = await openBehindProxy(t, way)
      const begun = Promise.withResolvers<void>()
      const frozen = Promise.withResolvers<void>()
      const work = database.transaction(async (write) => {
        await addCredit(write)
        begun.resolve()
        await frozen.promise
        await addCredit(write)
      })
      const failed = assert.rejects(work, unavailable)
      await begun.promise
      proxy.freeze()
      frozen.resolve()
      await Promise.all([
        failed,
        ...Array.from({ length: 50 }, () => assert.rejects(database.transaction(addCredit), unavailable)),
      ])
      await proxy.resume()
      await untilWritable(database)
      assert.equal(await readCredits(), 0)
    })

    test('[DB-3] given one connection that is dead while the server responds to others, then its statement fails, and a slow one elsewhere goes on', async (t) => {
      const { database, proxy } = await openBehindProxy(t, way)
      const [reading, frozen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const dead = database.transaction(async (write) => {
        await sql`select 1`.execute(write)
        reading.resolve()
        await frozen.promise
        await sql`select 1`.execute(write)
      })
      const failed = assert.rejects(dead, unavailable)
      await reading.promise
      proxy.freezeOpen()
      frozen.resolve()
      const slow = sql`select pg_sleep(5)`.execute(queries(database))
      await failed
      await slow
    })

    test('[DB-3] given a dead server, when the database is closed, then it closes', async (t) => {
      const { location, proxy } = await openBehindProxy(t, way)
      const database = await openDatabase(location)
      const heard = Promise.withResolvers<void>()
      const watch = database.subscribe(() => heard.resolve())
      await heard.promise
      await Promise.all(Array.from({ length: 5 }, () => sql`select 1`.execute(queries(database))))
      proxy.freeze()
      await watch.close()
      await database.close()
    })

    test('[DB-4] given a database that became read-only, then writes fail as unavailable, and it shows; reads go on', async (t) => {
      const { database, admin, terminate, addCredit } = await openBehindProxy(t, way)
      const { rows } = await admin.query('select current_database() as name')
      const makeReadOnly = (setting: string) =>
        admin.query(`alter database ${rows[0].name} set default_transaction_read_only = ${setting}`)
      await database.checkWritable()
      await makeReadOnly('on')
      await terminate('true')
      await until('writing fails', () =>
        database.transaction(addCredit).then(
          () => false,
          (error) => unavailable(error) && error.kind === 'unwritable',
        ),
      )
      await assert.rejects(database.checkWritable(), /The database cannot be written: it is read-only\./)
      await database.read.selectFrom('team').select('id').execute()
      await makeReadOnly('off')
      await untilWritable(database)
      await database.transaction(addCredit)
    })
  })
