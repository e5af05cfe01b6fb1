import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { DATABASES } from '../../testing/databases.ts'
import type { Database } from './database.ts'
import { type Migration, migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { type DatabaseLocation, openDatabase } from './open-database.ts'

async function readVersions(database: Database): Promise<number[]> {
  const versions = sql<{ version: number }>`select version from schema_version order by version`
  const { rows } = await database.transaction((write) => versions.execute(write))
  return rows.map(({ version }) => version)
}

const isCurrent = MIGRATIONS.map((_, index) => index + 1)

/** Opens and closes the database in a process of its own. */
async function openElsewhere(place: DatabaseLocation): Promise<string> {
  const script = `
    import { openDatabase } from ${JSON.stringify(import.meta.resolve('./open-database.ts'))}
    const database = await openDatabase(${JSON.stringify(place)})
    await database.close()`
  const node = spawn(process.execPath, ['--input-type=module', '--eval', script])
  const [errors, [code]] = await Promise.all([text(node.stderr), once(node, 'exit')])
  return code === 0 ? 'opened' : errors
}

for (const kind of DATABASES) {
  describe(`migrations on ${kind.name}`, kind.options, () => {
    test('given an empty database, when several processes open it at once, then each step runs once', async (t) => {
      const place = await kind.place(t, { empty: true })
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => openElsewhere(place)))
      assert.deepEqual(new Set(outcomes), new Set(['opened']))
      const database = await openDatabase(place)
      assert.deepEqual(await readVersions(database), isCurrent)
      await database.close()
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

    test('given a database of a newer Meadow, when it is opened, then it is refused with a sentence', async (t) => {
      const place = await kind.place(t)
      const database = await openDatabase(place)
      await database.transaction((write) =>
        sql`insert into schema_version values (${MIGRATIONS.length + 1}, 'from the future', '')`.execute(
          write,
        ),
      )
      await database.close()
      const sentence = `version ${MIGRATIONS.length + 1} of the tables, and this Meadow knows ${MIGRATIONS.length} at most`
      await assert.rejects(openDatabase(place), new RegExp(sentence))
    })
  })
}
