import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'

const commit = (database: Database, said: string) =>
  database.transaction(async (write) => {
    await sql`update team set version = version`.execute(write)
    await sql`create table if not exists noise (id integer)`.execute(write)
    await sql`insert into noise values (1)`.execute(write)
    await database.publish(write, said)
  })

for (const kind of DATABASES) {
  describe(`watching ${kind.name}`, kind.options, () => {
    test('[LIV-8] given a commit of this or of another process, then a notification arrives soon, with its payload or that anything may have changed', async (t) => {
      const location = await kind.createLocation(t)
      const [ours, theirs] = [await openDatabase(location), await openDatabase(location)]
      for (const database of [ours, theirs]) atEnd(t, () => database.close())
      const heard: (string | undefined)[] = []
      const watch = ours.subscribe((said) => heard.push(said))
      // PostgreSQL says that it listens in the same way in which it says that it missed something.
      if (kind.name === 'postgres') await until('it listens', async () => heard.length > 0)
      for (const database of [theirs, ours]) {
        const before = heard.length
        await commit(database, 'something 5')
        await until('it arrives', async () => heard.length > before)
        assert.equal(heard.at(-1), kind.name === 'postgres' ? 'something 5' : undefined)
      }
      await watch.close()
      const before = heard.length
      await commit(theirs, 'something 6')
      assert.equal(heard.length, before)
    })

    test('[LIV-8] given a transaction that fails, then its notification is not delivered', async (t) => {
      const location = await kind.createLocation(t)
      const database = await openDatabase(location)
      atEnd(t, () => database.close())
      const heard: (string | undefined)[] = []
      const watch = database.subscribe((said) => heard.push(said))
      const failed = database.transaction(async (write) => {
        await database.publish(write, 'undone')
        throw new Error('failed')
      })
      await assert.rejects(failed, /failed/)
      await commit(database, 'done')
      await until('the next one arrives', async () => heard.length > 0 && heard.at(-1) !== 'undone')
      assert.ok(!heard.includes('undone'))
      await watch.close()
    })
  })
}

test('[LIV-8] given a connection that is cut, when it is made anew, then a notification arrives that anything may have changed, and goes on', async (t) => {
  const postgres = DATABASES.find(({ name }) => name === 'postgres')!
  if (postgres.options.skip) return t.skip(postgres.options.skip)
  const database = await openDatabase(await postgres.createLocation(t))
  atEnd(t, () => database.close())
  const heard: (string | undefined)[] = []
  const watch = database.subscribe((said) => heard.push(said))
  await until('it listens', async () => heard.length > 0)
  await database.transaction((write) =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'meadow watch' and datname = current_database()`.execute(write),
  )
  await until('it listens again', async () => heard.filter((said) => said === undefined).length === 2)
  await commit(database, 'later')
  await until('it arrives', async () => heard.includes('later'))
  await watch.close()
})
