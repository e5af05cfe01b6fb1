import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { atEnd, type TestScope } from '../../../testing/at-end.ts'
import { DATABASES } from '../../../testing/databases.ts'
import { startFaultProxy } from '../../../testing/fault-proxy.ts'
import { startPooler } from '../../../testing/pooler/start-pooler.ts'
import { until } from '../../../testing/until.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import { createPostgresCommitCounter } from './postgres-commit-counter.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

async function connect(t: TestScope, url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  atEnd(t, () => client.end())
  return client
}

async function open(t: TestScope, location: Parameters<typeof openDatabase>[0]): Promise<Database> {
  const database = await openDatabase(location)
  atEnd(t, () => database.close())
  return database
}

const INSERT = `insert into team (public_id, name, credit_tenths, created_at) values ($1, 'x', 0, 0)`

/** The ways that a commit may come about, on another connection. */
const COMMITS: Record<string, (other: pg.Client, id: string) => Promise<unknown>> = {
  'a statement': (other, id) => other.query(INSERT, [id]),
  'a subtransaction': async (other, id) => {
    await other.query('begin')
    await other.query('savepoint one')
    await other.query(INSERT, [id])
    await other.query('release one')
    await other.query('commit')
  },
  'a subtransaction beside one that is undone': async (other, id) => {
    await other.query('begin')
    await other.query(INSERT, [id])
    await other.query('savepoint one')
    await other.query(INSERT, [`${id} undone`])
    await other.query('rollback to one')
    await other.query('commit')
  },
}

describe('the commit counter on PostgreSQL', postgres.options, () => {
  for (const [name, commit] of Object.entries(COMMITS)) {
    test(`[DB-27] given ${name} of another connection, also while an older transaction goes on, then the counter is another one as soon as it is committed`, async (t) => {
      const location = await postgres.createLocation(t)
      const database = await open(t, location)
      const [other, older] = [
        await connect(t, location.databaseUrl!),
        await connect(t, location.databaseUrl!),
      ]
      await older.query('begin')
      await older.query(INSERT, ['older'])
      const seen: unknown[] = []
      for (let time = 0; time < 5; time++) {
        seen.push(await database.readCommitCounter())
        await commit(other, `team ${time}`)
        const counter = await database.readCommitCounter()
        assert.equal(typeof counter, 'number')
        assert.equal(seen.includes(counter), false)
      }
      const before = await database.readCommitCounter()
      await older.query('commit')
      assert.notEqual(await database.readCommitCounter(), before)
    })
  }

  test('[DB-27] given nothing that is committed, then the counter stays, whichever connection is used', async (t) => {
    const database = await open(t, await postgres.createLocation(t))
    // Other tests use the same server.
    await until('two are equal', async () => {
      const before = await database.readCommitCounter()
      await database.read.selectFrom('team').selectAll().execute()
      return before !== undefined && (await database.readCommitCounter()) === before
    })
  })

  test('[DB-27] given a pooler in transaction mode, when another client commits, then the counter is another one', async (t) => {
    const { databaseUrl } = await postgres.createLocation(t)
    const database = await open(t, {
      databaseUrl: await startPooler(t, databaseUrl!),
      databaseDirectUrl: databaseUrl,
      dataDir: '',
    })
    const other = await connect(t, databaseUrl!)
    for (let time = 0; time < 5; time++) {
      const before = await database.readCommitCounter()
      await other.query(INSERT, [`team ${time}`])
      const after = await database.readCommitCounter()
      assert.ok(before !== undefined && after !== undefined && before !== after)
    }
  })

  test('[DB-27] given a server that is away, then the counter is undefined, and another one once it is back', async (t) => {
    const location = await postgres.createLocation(t)
    const proxy = await startFaultProxy(t, location.databaseUrl!)
    const database = await open(t, { ...location, databaseUrl: proxy.url })
    const before = await database.readCommitCounter()
    proxy.refuse()
    assert.equal(await database.readCommitCounter(), undefined)
    await proxy.resume()
    await until('it is back', async () => (await database.readCommitCounter()) !== undefined)
    assert.notEqual(await database.readCommitCounter(), before)
  })

  test('[DB-27] given calls while a statement runs, then they share the next one, which starts after they arrived', async () => {
    const statements: PromiseWithResolvers<unknown>[] = []
    const read = createPostgresCommitCounter({
      query: () => {
        const statement = Promise.withResolvers<unknown>()
        statements.push(statement)
        return statement.promise as Promise<pg.QueryResult>
      },
    })
    const answer = (mark: string | null, backend = 1) =>
      statements.at(-1)!.resolve({ rows: [{ mark, backend }] })
    const [first, second] = [read(), read()]
    await until('it runs', async () => statements.length === 1)
    const later = [read(), read(), read()]
    assert.equal(statements.length, 1)
    answer('1:1:')
    assert.deepEqual(await Promise.all([first, second]), [1, 1])
    await until('the next runs', async () => statements.length === 2)
    answer('2:2:')
    assert.deepEqual(await Promise.all(later), [2, 2, 2])
    // A standby, another process of the server, and the same as before.
    const counters: unknown[] = []
    for (const [mark, backend] of [[null], ['2:2:', 7], ['2:2:', 1], ['2:2:', 7]] as const) {
      const counter = read()
      const number = statements.length
      await until('it runs', async () => statements.length > number)
      answer(mark, backend)
      counters.push(await counter)
    }
    assert.deepEqual(counters, [undefined, 3, 3, 3])
  })
})
