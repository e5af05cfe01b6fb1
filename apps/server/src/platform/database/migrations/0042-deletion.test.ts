import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../../testing/at-end.ts'
import { DATABASES } from '../../../testing/databases.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { foldName } from '../names.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import type { TeamKey } from '../tables.ts'
import { deletion } from './0042-deletion.ts'
import { MIGRATIONS } from './index.ts'

const DOCUMENTS = [
  ['doc_1', 'Tow\u202eer\nnorth', 'private', 1000],
  ['doc_2', 'Bridge', 'public', 2000],
  ['doc_3', '\u200b', 'private', 3000],
] as const

/** Everything as the version before left it. */
async function fill(database: Database): Promise<void> {
  await database.transaction(async (write) => {
    for (const [team, name] of [
      [1, 'Ac\u200bme'],
      [2, 'Other'],
    ] as const) {
      await sql`insert into team (public_id, name, credits, created_at) values (${`team_${team}`}, ${name}, 0, 0)`.execute(
        write,
      )
      await sql`insert into folder (public_id, team_id, name, path, created_at)
        values (${`fld_${team}`}, ${team}, 'Plans\u2028old', ${`${team}/`}, 0)`.execute(write)
    }
    for (const [id, name, visibility, at] of DOCUMENTS) {
      await sql`insert into document (public_id, team_id, folder_id, name, name_folded, visibility, created_at,
        updated_at, seq) values (${id}, 1, 1, ${name}, ${foldName(name)}, ${visibility}, 0, ${at}, 1)`.execute(
        write,
      )
    }
    await database.searchIndex.rebuild(write)
  })
}

for (const kind of DATABASES) {
  describe(`the step for deletion on ${kind.name}`, kind.options, () => {
    test('[NAME-3] given names with hidden characters, when the tables are brought up to date, then they are cleaned and found by their new names, and teams with public documents may go on having them', async (t) => {
      const location = await kind.createLocation(t, { empty: true })
      const database = location.databaseUrl
        ? await openPostgres({ url: location.databaseUrl })
        : openSqlite(location.dataDir)
      atEnd(t, () => database.close())
      const steps = MIGRATIONS.indexOf(deletion)
      await migrate(database, MIGRATIONS.slice(0, steps))
      await fill(database)
      const notes: string[] = []
      await migrate(database, MIGRATIONS.slice(0, steps + 1), (note) => notes.push(note))
      assert.deepEqual(notes, [
        'Hidden characters and line breaks were taken out of the names of 1 teams, 2 folders, 2 documents.',
      ])
      const { read, searchIndex } = database
      const documents = await read
        .selectFrom('document')
        .select(['name', 'name_order'])
        .orderBy('id')
        .execute()
      assert.deepEqual(
        documents.map(({ name }) => name),
        ['Tower north', 'Bridge', 'Unnamed'],
      )
      assert.deepEqual(
        (await read.selectFrom('folder').select('name').execute()).map(({ name }) => name),
        ['Plans old', 'Plans old'],
      )
      const teams = await read
        .selectFrom('team')
        .select(['name', 'version', 'public_documents', 'public_days'])
        .orderBy('id')
        .execute()
      assert.deepEqual(teams, [
        { name: 'Acme', version: 2, public_documents: 1, public_days: 90 },
        { name: 'Other', version: 2, public_documents: 0, public_days: 90 },
      ])
      const find = (text: string) =>
        searchIndex.find({ team: 1 as TeamKey, textFolded: foldName(text), limit: 5 })
      assert.deepEqual([await find('tower n'), await find('unn'), await find('')], [[1], [3], [3, 2, 1]])
    })
  })
}
