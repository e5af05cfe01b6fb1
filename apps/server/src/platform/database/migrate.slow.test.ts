import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { createTeam } from '../../team/teams.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { registerProcess } from '../cluster/processes.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migration.ts'
import { type DatabaseLocation, openDatabase } from './open-database.ts'
import { BASELINE_VERSION, MIGRATIONS, SCHEMA_VERSION } from './schema/migrations.ts'

async function readVersions(database: Database): Promise<number[]> {
  const versions = sql<{ version: number }>`select version from schema_version order by version`
  const { rows } = await database.transaction((write) => versions.execute(write))
  return rows.map(({ version }) => version)
}

const isCurrent = MIGRATIONS.map((_, index) => BASELINE_VERSION + index)

/** Opens and closes the database in a process of its own. */
async function openElsewhere(location: DatabaseLocation): Promise<string> {
  const script = `
    import { openDatabase } from ${JSON.stringify(import.meta.resolve('./open-database.ts'))}
    const database = await openDatabase(${JSON.stringify(location)})
    await database.close()`
  const node = spawn(process.execPath, ['--input-type=module', '--eval', script])
  const [errors, [code]] = await Promise.all([text(node.stderr), once(node, 'exit')])
  return code === 0 ? 'opened' : errors
}

for (const kind of DATABASES) {
  describe(`migrations on ${kind.name}`, kind.options, () => {
    test('given an empty database, when several processes open it at once, then each step runs once', async (t) => {
      const location = await kind.createLocation(t, { empty: true })
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => openElsewhere(location)))
      assert.deepEqual(new Set(outcomes), new Set(['opened']))
      const database = await openDatabase(location)
      assert.deepEqual(await readVersions(database), isCurrent)
      await database.close()
    })

    test('given a step whose statement fails, then its error is thrown, and the next attempt does not wait for a lock', async (t) => {
      const database = await kind.open(t)
      const fails: Migration = {
        name: 'fails',
        up: async (write) => void (await sql`select * from no_such_table`.execute(write)),
      }
      await assert.rejects(migrate(database, [...MIGRATIONS, fails]), /no_such_table/)
      await assert.rejects(migrate(database, [...MIGRATIONS, fails]), /no_such_table/)
      await migrate(database)
      assert.deepEqual(await readVersions(database), isCurrent)
    })

    test('given a step that fails halfway, then nothing of it stays, and the steps before it do', async (t) => {
      const database = await kind.open(t)
      const works: Migration = {
        name: 'works',
        up: async (write) => void (await sql`create table new_table (id integer)`.execute(write)),
      }
      const fails: Migration = {
        name: 'fails',
        async up(write) {
          await sql`create table half_made (id integer)`.execute(write)
          throw new Error('halfway')
        },
      }
      await assert.rejects(migrate(database, [...MIGRATIONS, works, fails]), /halfway/)
      assert.deepEqual(await readVersions(database), [...isCurrent, SCHEMA_VERSION + 1])
      const select = (table: string) =>
        database.transaction((write) => sql`select * from ${sql.table(table)}`.execute(write))
      await select('new_table')
      await assert.rejects(select('half_made'))
    })

    test('given a database of a newer Meadow, when it is opened, then it is rejected with a sentence', async (t) => {
      const location = await kind.createLocation(t)
      const database = await openDatabase(location)
      await database.transaction((write) =>
        sql`insert into schema_version values ('9999 from the future', '', ${SCHEMA_VERSION + 1}, null)`.execute(
          write,
        ),
      )
      await database.close()
      const sentence = `version ${SCHEMA_VERSION + 1} of the tables, and this Meadow knows ${SCHEMA_VERSION} at most`
      await assert.rejects(openDatabase(location), new RegExp(sentence))
    })

    test('[DB-25] given a Meadow that reads and writes, when a newer one adds columns, tables and indexes, then nothing fails, and the older one can be started again', async (t) => {
      const location = await kind.createLocation(t)
      const [older, newer] = [await openDatabase(location), await openDatabase(location)]
      for (const database of [older, newer]) atEnd(t, () => database.close())
      await createTeam(older, { name: 'Acme' })
      const listTeams = older.prepare((read) => read.selectFrom('team').selectAll())
      let rounds = 0
      const over = new AbortController()
      const useIt = async () => {
        for (; !over.signal.aborted; rounds++) {
          assert.equal((await listTeams.all({})).length, 1)
          await older.transaction((write) =>
            write.updateTable('team').set({ credit_tenths: rounds }).execute(),
          )
          await setImmediate()
        }
      }
      const running = useIt()
      await until('statements are prepared', async () => rounds > 20)
      const additive: Migration = {
        name: 'additive',
        isAdditive: true,
        async up(write) {
          await sql`alter table team add column motto text not null default ''`.execute(write)
          await sql`create table guild (id integer primary key)`.execute(write)
          await sql`create index team_by_motto on team (motto)`.execute(write)
        },
      }
      await migrate(newer, [...MIGRATIONS, additive])
      const before = rounds
      await until('it goes on', async () => rounds > before + 20)
      over.abort()
      await running
      const notes: string[] = []
      const again = await openDatabase(location, { notify: (note) => notes.push(note) })
      await again.close()
      assert.match(
        notes.join(),
        /^The database has version \d+ of the tables, and this Meadow knows \d+: it works/,
      )
    })

    test('[DB-26] given a process of an older Meadow, when a step does more than add, then it waits until the process has stopped; if that goes on, the start is refused and names it', async (t) => {
      const database = await kind.open(t)
      const older = await registerProcess(database, { kind: 'work', connections: 1 })
      const change: Migration = {
        name: 'contraction',
        up: async (write) => void (await sql`alter table team rename column name to title`.execute(write)),
      }
      await assert.rejects(
        migrate(database, [...MIGRATIONS, change], () => {}, { stopMs: 0 }),
        new RegExp(
          `cannot work with version \\d+ of the tables: work \\(process ${process.pid} on ".+"\\)\\. Stop`,
        ),
      )
      const waits = Promise.withResolvers<string>()
      const migrated = migrate(database, [...MIGRATIONS, change], waits.resolve, { stopMs: 600_000 })
      assert.match(await waits.promise, /Waiting for them\.$/)
      await older.close()
      await migrated
      assert.deepEqual(await readVersions(database), [...isCurrent, SCHEMA_VERSION + 1])
    })
  })
}

test('[DB-25] given a transaction that holds a lock for long, when a step waits for the table, then others use it all the while; if that goes on, the start is refused', async (t) => {
  const postgres = DATABASES.find(({ name }) => name === 'postgres')!
  if (postgres.options.skip) return t.skip(postgres.options.skip)
  const location = await postgres.createLocation(t)
  const [older, newer] = [await openDatabase(location), await openDatabase(location)]
  for (const database of [older, newer]) atEnd(t, () => database.close())
  const additive: Migration = {
    name: 'additive',
    isAdditive: true,
    up: async (write) => void (await sql`alter table team add column motto text`.execute(write)),
  }
  const steps = [...MIGRATIONS, additive]
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = older.snapshot(async ({ stream }) => {
    for await (const _ of stream('select id from team', 1));
    held.resolve()
    await released.promise
  })
  await held.promise
  const migrating = migrate(newer, steps)
  const waits = sql<{ pid: number }>`select pid from pg_locks where not granted`
  await until(
    'the step waits for its lock',
    async () => (await waits.execute(older.read as never)).rows.length > 0,
  )
  // Queries wait behind it, until it is tried again later.
  for (let time = 0; time < 3; time++) await older.read.selectFrom('team').select('id').execute()
  await assert.rejects(
    migrate(newer, steps, () => {}, { patienceMs: 0 }),
    /others hold locks on them for too long/,
  )
  released.resolve()
  await Promise.all([holder, migrating])
  assert.deepEqual(await readVersions(newer), [...isCurrent, SCHEMA_VERSION + 1])
})
