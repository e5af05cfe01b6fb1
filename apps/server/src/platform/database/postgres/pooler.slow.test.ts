import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { atEnd } from '../../../testing/at-end.ts'
import { createCapturedLog } from '../../../testing/captured-log.ts'
import { DATABASES } from '../../../testing/databases.ts'
import { startFaultProxy } from '../../../testing/fault-proxy.ts'
import { givenTeam } from '../../../testing/given-team.ts'
import { startPooler } from '../../../testing/pooler/start-pooler.ts'
import { startServer } from '../../../testing/start-server.ts'
import { until } from '../../../testing/until.ts'
import type { Database, Write } from '../database.ts'
import { type DatabaseLocation, openDatabase } from '../open-database.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

/** The location of a fresh database behind a pooler in transaction mode. */
async function placeBehindPooler(t: Parameters<typeof startPooler>[0], options = { empty: false }) {
  const { databaseUrl } = await postgres.createLocation(t, options)
  return { databaseUrl: await startPooler(t, databaseUrl!), databaseDirectUrl: databaseUrl!, dataDir: '' }
}

async function open(t: Parameters<typeof startPooler>[0], location: DatabaseLocation): Promise<Database> {
  const database = await openDatabase(location)
  atEnd(t, () => database.close())
  return database
}

const inTransaction = <Row>(database: Database, query: RawBuilder<Row>): Promise<Row[]> =>
  database.transaction(async (write) => (await query.execute(write)).rows)

// They wait for a database to be made or a connection to be given up, most of the time.
describe('PostgreSQL behind a pooler in transaction mode', { ...postgres.options, concurrency: 4 }, () => {
  test('[DB-20] given a server, when many read at once, then all 320 of 320 reads are answered', async (t) => {
    const { databaseUrl, databaseDirectUrl } = await placeBehindPooler(t)
    const env = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseDirectUrl }
    const { get, team, fixtures } = await startServer(t, env)
    const id = await fixtures.document(team)
    const paths = ['/team', '/folders/root', '/documents?q=t', `/documents/${id}`]
    const statuses: number[] = []
    const reader = async () => {
      for (let time = 0; time < 5; time++) for (const path of paths) statuses.push((await get(path)).status)
    }
    await Promise.all(Array.from({ length: 16 }, reader))
    assert.equal(statuses.length, 320)
    assert.deepEqual(new Set(statuses), new Set([200]))
  })

  test('[DB-20] given an empty database, when several processes open it at once, then each step runs once', async (t) => {
    const location = await placeBehindPooler(t, { empty: true })
    const databases = await Promise.all(Array.from({ length: 3 }, () => open(t, location)))
    const { team } = await givenTeam(databases[0]!)
    for (const { read } of databases)
      assert.deepEqual(await read.selectFrom('team').select('id').execute(), [{ id: team }])
  })

  test('[DB-20] given a transaction, then what it sets is gone with it, so that no other client of the pooler inherits it', async (t) => {
    const database = await open(t, await placeBehindPooler(t))
    const read = sql<{
      value: string
    }>`select current_setting('idle_in_transaction_session_timeout') as value`
    assert.deepEqual(await inTransaction(database, read), [{ value: '10s' }])
    const plain = Array.from({ length: 20 }, () => read.execute(database.read as unknown as Write))
    for (const { rows } of await Promise.all(plain)) assert.deepEqual(rows, [{ value: '0' }])
  })

  test('[DB-21] given no DATABASE_DIRECT_URL, when the database is opened, then that is refused with the remedy', async (t) => {
    const { databaseUrl, dataDir } = await placeBehindPooler(t)
    await assert.rejects(openDatabase({ databaseUrl, dataDir }), (error: Error) => {
      assert.match(
        error.message,
        /^Cannot open the PostgreSQL database at 127\.0\.0\.1:\d+: a connection pooler/,
      )
      assert.match(error.message, /Set DATABASE_DIRECT_URL to the address of PostgreSQL itself\.$/)
      return true
    })
  })

  test('[DB-22] given a DATABASE_DIRECT_URL that leads to the same database, to another one, or through the pooler, when notifications are checked, then only the first is accepted', async (t) => {
    const location = await placeBehindPooler(t)
    await (await open(t, location)).checkNotifications()
    const pooled = await open(t, { ...location, databaseDirectUrl: location.databaseUrl })
    await assert.rejects(
      pooled.checkNotifications(),
      /leads through a connection pooler in transaction mode\. Set/,
    )
    const { databaseUrl: elsewhere } = await postgres.createLocation(t, { empty: true })
    const other = await open(t, { ...location, databaseDirectUrl: elsewhere })
    await assert.rejects(
      other.checkNotifications(),
      /DATABASE_DIRECT_URL leads to another database than DATABASE_URL\./,
    )
  })

  test('[DB-22] given a connection that listens, when it goes dead while the pooler goes on, then it is made anew, subscribers learn that anything may have changed, and both are logged', async (t) => {
    const location = await placeBehindPooler(t)
    const direct = await startFaultProxy(t, location.databaseDirectUrl)
    const { log, lines } = createCapturedLog()
    const database = await openDatabase({ ...location, databaseDirectUrl: direct.url }, { log })
    atEnd(t, () => database.close())
    const heard: (string | undefined)[] = []
    const subscription = database.subscribe((message) => heard.push(message))
    atEnd(t, () => subscription.close())
    await until('it listens', async () => heard.length > 0)
    direct.freeze()
    await until('the loss is noticed', async () => lines.length > 0)
    direct.refuse()
    const atLoss = heard.length
    await until('subscribers are told again and again', async () => heard.length > atLoss + 1)
    await direct.resume()
    await until('it listens again', async () => lines.length > 1)
    assert.deepEqual(
      lines.slice(0, 2).map(({ msg }) => msg),
      ['notifications of the database do not arrive', 'notifications of the database arrive again'],
    )
    assert.equal(typeof lines[0]!.reason, 'string')
    assert.deepEqual(new Set(heard), new Set([undefined]))
    await database.transaction((write) => database.publish(write, 'later'))
    await until('it arrives', async () => heard.at(-1) === 'later')
  })

  test('[DB-22] given several subscribers, then one connection listens for all of them, and each is told at once that anything may have changed', async (t) => {
    const location = await placeBehindPooler(t)
    const database = await open(t, location)
    const admin = new pg.Client(location.databaseDirectUrl)
    await admin.connect()
    atEnd(t, () => admin.end())
    const heard: (string | undefined)[][] = [[], [], []]
    for (const own of heard) {
      const subscription = database.subscribe((message) => own.push(message))
      atEnd(t, () => subscription.close())
      await until('it is told', async () => own.length > 0)
    }
    const { rows } = await admin.query(
      `select count(*)::int as count from pg_stat_activity
        where application_name = 'meadow watch' and datname = current_database()`,
    )
    assert.deepEqual(rows, [{ count: 1 }])
    await database.transaction((write) => database.publish(write, 'something'))
    await until('all are told', async () => heard.every((own) => own.at(-1) === 'something'))
  })
})
