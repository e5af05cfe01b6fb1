import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { DATABASES } from '../../testing/databases.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'

for (const kind of DATABASES) {
  describe(`migrations on ${kind.name}`, kind.options, () => {
    test('given an empty database, when it is opened twice, then it has the tables once', async (t) => {
      const place = await kind.place(t, { empty: true })
      const first = await openDatabase(place)
      await first.close()
      const second = await openDatabase(place)
      const { rows } = await second.transaction((write) =>
        sql<{ version: number }>`select version from schema_version`.execute(write),
      )
      assert.deepEqual(
        rows.map(({ version }) => version),
        [1],
      )
      await second.close()
    })
  })
}
