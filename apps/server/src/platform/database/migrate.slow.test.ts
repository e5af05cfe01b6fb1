import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ALL_SCOPES, type UserId } from '@meadow/contract'
import { sql } from 'kysely'
import { createUserStore } from '../../access/users.store.ts'
import { createCatalogue } from '../../catalogue/catalogue.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { registerProcess } from '../cluster/processes.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migration.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { type DatabaseLocation, openDatabase } from './open-database.ts'
import { openPostgres } from './postgres/postgres.ts'
import { openSqlite } from './sqlite/sqlite.ts'

async function readVersions(database: Database): Promise<number[]> {
  const versions = sql<{ version: number }>`select version from schema_version order by version`
  const { rows } = await database.transaction((write) => versions.execute(write))
  return rows.map(({ version }) => version)
}

const isCurrent = MIGRATIONS.map((_, index) => index + 1)

/** Takes the first `count` steps as Meadow did before it used Kysely's Migrator, and records them as it did. */
async function migrateAsFirstRunner(database: Database, count: number): Promise<void> {
  await database.transaction(async (write) => {
    await sql`create table if not exists schema_version (
      version integer primary key, name text not null, migrated_at text not null)`.execute(write)
    for (const [index, { name, up }] of MIGRATIONS.slice(0, count).entries()) {
      await up(write, database.dialect)
      // The clock went backwards between the steps, which were taken by several servers.
      const at = new Date(Date.UTC(2026, 0, 20 - index)).toISOString()
      await sql`insert into schema_version values (${index + 1}, ${name}, ${at})`.execute(write)
    }
  })
}

async function openAsFirstRunner(location: DatabaseLocation): Promise<Database> {
  return location.databaseUrl
    ? await openPostgres({ url: location.databaseUrl })
    : openSqlite(location.dataDir)
}

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

    test('given a database that an earlier Meadow left at any version, when several processes open it at once, then the other steps run once', async (t) => {
      for (const count of [1, 4, MIGRATIONS.length]) {
        const location = await kind.createLocation(t, { empty: true })
        const old = await openAsFirstRunner(location)
        await migrateAsFirstRunner(old, count)
        const credits = sql.ref(count === MIGRATIONS.length ? 'credit_tenths' : 'credits')
        await old.transaction((write) =>
          sql`insert into team (public_id, name, ${credits}, created_at) values ('team_1', 'Kept', 0, 0)`.execute(
            write,
          ),
        )
        await old.close()

        const outcomes = await Promise.all([openElsewhere(location), openElsewhere(location)])
        assert.deepEqual(outcomes, ['opened', 'opened'])

        const database = await openDatabase(location)
        atEnd(t, () => database.close())
        // What an earlier Meadow reads to recognize a newer database.
        assert.deepEqual(await readVersions(database), isCurrent)
        const teams = await database.read.selectFrom('team').select('name').execute()
        assert.deepEqual(teams, [{ name: 'Kept' }])
      }
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
      assert.deepEqual(await readVersions(database), [...isCurrent, MIGRATIONS.length + 1])
      const select = (table: string) =>
        database.transaction((write) => sql`select * from ${sql.table(table)}`.execute(write))
      await select('new_table')
      await assert.rejects(select('half_made'))
    })

    test('[TOK-5] given tokens whose makers left or became viewers before the rule, when the tables are brought up to date, then those end and are named, and no others', async (t) => {
      const database = await kind.open(t)
      const [catalogue, users] = [createCatalogue(database), createUserStore(database)]
      const team = await catalogue.createTeam({ name: 'Acme' })
      const other = await catalogue.createTeam({ name: 'Other' })
      const people = {
        owner: await users.createUser({ email: 'owner@x.org', name: 'Owner' }),
        viewer: await users.createUser({ email: 'viewer@x.org', name: 'Viewer' }),
        removed: await users.createUser({ email: 'gone@x.org', name: 'Gone' }),
      }
      await catalogue.changeTeam(other.key, (change) => change.setMember(people.removed.id, 'owner'))
      const ids = await catalogue.changeTeam(team.key, async (change) => {
        const make = async (name: string, createdBy?: UserId, expiresAt?: number) =>
          (await change.createToken({ name, secret: name, scopes: ALL_SCOPES, createdBy, expiresAt })).id
        for (const { id } of Object.values(people)) await change.setMember(id, 'owner')
        await change.revokeToken(await make('revoked', people.removed.id))
        await make('expired', people.removed.id, 5)
        await make('operator')
        await make('of owner', people.owner.id)
        return {
          viewer: await make('of viewer', people.viewer.id),
          gone: await make('of gone', people.removed.id),
        }
      })
      await database.transaction(async (write) => {
        // As version 7 left them.
        const { viewer, removed } = people
        await sql`update membership set role = 'viewer' where user_id = ${viewer.id}`.execute(write)
        await sql`delete from membership where user_id = ${removed.id} and team_id = ${team.key}`.execute(
          write,
        )
        await sql`alter table token drop column end_reason`.execute(write)
        await sql`delete from schema_version where version >= 8`.execute(write)
      })
      const versionsOf = () => database.read.selectFrom('team').select('version').orderBy('id').execute()
      const before = await versionsOf()
      const notes: string[] = []
      await migrate(database, MIGRATIONS.slice(0, 8), (note) => notes.push(note))
      assert.deepEqual(notes, [
        `The API token "of viewer" (${ids.viewer}) of team "Acme" (${team.id}) has ended: the person who made it may no longer make API tokens there.`,
        `The API token "of gone" (${ids.gone}) of team "Acme" (${team.id}) has ended: the person who made it is no longer a member of the team.`,
      ])
      const tokens = await database.read
        .selectFrom('token')
        .select(['name', 'revoked_at', 'end_reason'])
        .orderBy('id')
        .execute()
      assert.deepEqual(
        tokens.map(({ name, revoked_at, end_reason }) => [name, revoked_at !== null, end_reason]),
        [
          ['revoked', true, null],
          ['expired', false, null],
          ['operator', false, null],
          ['of owner', false, null],
          ['of viewer', true, 'maker_role'],
          ['of gone', true, 'maker_left'],
        ],
      )
      const raised = (await versionsOf()).map(({ version }, index) => version - before[index]!.version)
      assert.deepEqual(raised, [1, 0])
    })

    test('given a database of a newer Meadow, when it is opened, then it is rejected with a sentence', async (t) => {
      const location = await kind.createLocation(t)
      const database = await openDatabase(location)
      await database.transaction((write) =>
        sql`insert into schema_version (name, timestamp) values ('9999 from the future', '')`.execute(write),
      )
      await database.close()
      const sentence = `version ${MIGRATIONS.length + 1} of the tables, and this Meadow knows ${MIGRATIONS.length} at most`
      await assert.rejects(openDatabase(location), new RegExp(sentence))
    })

    test('[DB-25] given a Meadow that reads and writes, when a newer one adds columns, tables and indexes, then nothing fails, and the older one can be started again', async (t) => {
      const location = await kind.createLocation(t)
      const [older, newer] = [await openDatabase(location), await openDatabase(location)]
      for (const database of [older, newer]) atEnd(t, () => database.close())
      await createCatalogue(older).createTeam({ name: 'Acme' })
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
      const expansion: Migration = {
        name: 'expansion',
        isExpansion: true,
        async up(write) {
          await sql`alter table team add column motto text not null default ''`.execute(write)
          await sql`create table guild (id integer primary key)`.execute(write)
          await sql`create index team_by_motto on team (motto)`.execute(write)
        },
      }
      await migrate(newer, [...MIGRATIONS, expansion])
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
      assert.deepEqual(await readVersions(database), [...isCurrent, MIGRATIONS.length + 1])
    })
  })
}

test('[DB-25] given a transaction that holds a lock for long, when a step waits for the table, then others use it all the while; if that goes on, the start is refused', async (t) => {
  const postgres = DATABASES.find(({ name }) => name === 'postgres')!
  if (postgres.options.skip) return t.skip(postgres.options.skip)
  const location = await postgres.createLocation(t)
  const [older, newer] = [await openDatabase(location), await openDatabase(location)]
  for (const database of [older, newer]) atEnd(t, () => database.close())
  const expansion: Migration = {
    name: 'expansion',
    isExpansion: true,
    up: async (write) => void (await sql`alter table team add column motto text`.execute(write)),
  }
  const steps = [...MIGRATIONS, expansion]
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
  assert.deepEqual(await readVersions(newer), [...isCurrent, MIGRATIONS.length + 1])
})
