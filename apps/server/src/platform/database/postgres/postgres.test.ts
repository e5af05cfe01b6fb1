import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { atEnd } from '../../../testing/at-end.ts'
import { DATABASES } from '../../../testing/databases.ts'
import type { Write } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import { PostgresClient } from './postgres-client.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

test(
  'given a PostgreSQL database that is not in UTF-8, when it is opened, then it is rejected',
  postgres.options,
  async (t) => {
    const { databaseUrl } = await postgres.createLocation(t, { empty: true })
    const client = new pg.Client(databaseUrl)
    await client.connect()
    atEnd(t, () => client.end())
    const name = `ascii_${randomUUID().replaceAll('-', '')}`
    await client.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
    atEnd(t, async () => {
      await client.query(`drop database ${name}`)
    })
    const url = new URL(`/${name}`, databaseUrl)
    await assert.rejects(openDatabase({ databaseUrl: url.href, dataDir: '' }), /encoded in SQL_ASCII/)
  },
)

test(
  'given so many connections to PostgreSQL, when more queries run at once, then no more are made',
  postgres.options,
  async (t) => {
    const location = await postgres.createLocation(t)
    const database = await openDatabase({ ...location, databaseConnections: 3 })
    atEnd(t, () => database.close())
    const queries = Array.from({ length: 20 }, () =>
      database.transaction(async (write) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(write)
        return rows[0]!.pid
      }),
    )
    assert.equal(new Set(await Promise.all(queries)).size, 3)
  },
)

test(
  '[DB-23] given a role that may have two connections, when a process with a larger pool runs many transactions at once, then all succeed over these two',
  postgres.options,
  async (t) => {
    const { databaseUrl, dataDir } = await postgres.createLocation(t)
    const role = `limited_${randomUUID().replaceAll('-', '')}`
    const admin = new pg.Client(databaseUrl)
    await admin.connect()
    atEnd(t, () => admin.end())
    await admin.query(`create role ${role} login password 'limited' connection limit 2;
      grant all on all tables in schema public to ${role}; grant all on schema public to ${role}`)
    atEnd(t, async () => {
      await admin.query(`drop owned by ${role}; drop role ${role}`)
    })
    const url = new URL(databaseUrl!)
    Object.assign(url, { username: role, password: 'limited' })
    const database = await openDatabase({ databaseUrl: url.href, dataDir, databaseConnections: 10 })
    atEnd(t, () => database.close())
    const transactions = Array.from({ length: 40 }, () =>
      database.transaction(async (write) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(write)
        return rows[0]!.pid
      }),
    )
    assert.ok(new Set(await Promise.all(transactions)).size <= 2)
  },
)

test(
  '[DB-24] given prepared reads, when their names are gone, or a newer Meadow has added a column, then they are answered',
  postgres.options,
  async (t) => {
    const location = await postgres.createLocation(t)
    const database = await openDatabase({ ...location, databaseConnections: 1 })
    atEnd(t, () => database.close())
    const listTeams = database.prepare((read) => read.selectFrom('team').selectAll())
    const elsewhere = database.read as unknown as Write
    assert.deepEqual(await listTeams.all({}), [])
    await sql`alter table team add column motto text`.execute(elsewhere)
    assert.deepEqual(await listTeams.all({}), [])
    // What a client of a pooler finds: another connection, on which nothing is prepared.
    await sql`deallocate all`.execute(elsewhere)
    assert.deepEqual(await listTeams.all({}), [])
    assert.deepEqual(await listTeams.all({}), [])
  },
)

/** Keeps the thread, without processor time. */
const keepBusy = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test(
  '[DB-7] given a process that is busy for longer than PostgreSQL may take, when it connects and asks, then no reply is late',
  postgres.options,
  async (t) => {
    const { databaseUrl } = await postgres.createLocation(t)
    const client = new PostgresClient({ connectionString: databaseUrl, patienceMs: 1000 })
    atEnd(t, () => client.end())
    const connecting = client.connect()
    await new Promise(setImmediate)
    keepBusy(1200)
    await connecting
    const asking = client.ask('select 1 as one')
    keepBusy(1200)
    assert.deepEqual(await asking, [{ one: 1 }])
  },
)

test(
  '[DB-3] given PostgreSQL that does not reply, when it is asked, then the question fails in time',
  postgres.options,
  async (t) => {
    const { databaseUrl } = await postgres.createLocation(t)
    const client = new PostgresClient({ connectionString: databaseUrl, patienceMs: 1000 })
    atEnd(t, () => client.end())
    await client.connect()
    await assert.rejects(client.ask('select pg_sleep(600)'), /^Error: Query read timeout$/)
  },
)
