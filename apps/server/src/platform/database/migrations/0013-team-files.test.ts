import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../../testing/at-end.ts'
import { DATABASES } from '../../../testing/databases.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import type { TeamKey } from '../tables.ts'
import { MIGRATIONS } from './index.ts'

const TEAM = 1 as TeamKey
const FUTURE = Date.UTC(2100, 0)

const run = (database: Database, statements: readonly string[]) =>
  database.transaction(async (write) => {
    for (const statement of statements) await sql.raw(statement).execute(write)
  })

const document = (name: string, updatedAt: number, rest: Record<string, string | number> = {}) => {
  const columns = {
    public_id: `'doc_${name}'`,
    team_id: 1,
    folder_id: 1,
    name: `'${name}'`,
    name_folded: `'${name}'`,
    visibility: `'private'`,
    created_at: 5,
    updated_at: updatedAt,
    seq: 1,
    ...rest,
  }
  return `insert into document (${Object.keys(columns).join(', ')}) values (${Object.values(columns).join(', ')})`
}

const imported = (path: string, seq: number) => ({
  source_root_id: 1,
  source_from: `'/files'`,
  source_path: `'${path}'`,
  source_sha256: `'aa'`,
  source_size: 8,
  source_blob: `'aa'`,
  source_seq: seq,
})

for (const kind of DATABASES) {
  describe(`team files on ${kind.name}`, kind.options, () => {
    test('given documents with the times of their files, when the tables are brought up to date, then files keep these times, none is in the future, and the bin is the same', async (t) => {
      const location = await kind.createLocation(t, { empty: true })
      const database = location.databaseUrl
        ? await openPostgres({ url: location.databaseUrl })
        : openSqlite(location.dataDir)
      atEnd(t, () => database.close())
      await migrate(database, MIGRATIONS.slice(0, 12))
      await run(database, [
        `insert into team (public_id, name, credits, created_at) values ('team_1', 'Acme', 0, 0)`,
        `insert into folder (public_id, team_id, name, path, created_at) values ('fld_1', 1, '', '1/', 0)`,
        document('old', 1000, imported('old.gh', 1)),
        document('edited', 2000, imported('edited.gh', 0)),
        document('made', 3000),
        document('later', FUTURE + 1, imported('later.gh', 1)),
        document('soon', FUTURE, { ...imported('soon.gh', 1), created_at: FUTURE }),
        `insert into bin_item (public_id, team_id, document_id, deleted_at) values ('bin_1', 1, 6, 7)`,
        document('binned', 4000, { ...imported('old.gh', 1), bin_id: 1 }),
      ])
      await database.transaction((write) => database.searchIndex.rebuild(write))

      const before = Date.now()
      await migrate(database)
      const documents = await database.read
        .selectFrom('document')
        .select(['name', 'created_at', 'updated_at', 'source_created', 'source_modified', 'bin_id'])
        .orderBy('id')
        .execute()
      const times = documents.map((row) => [row.name, row.source_created, row.source_modified, row.bin_id])
      assert.deepEqual(times, [
        ['old', 5, 1000, null],
        ['edited', 5, null, null],
        ['made', null, null, null],
        ['later', 5, FUTURE + 1, null],
        ['soon', FUTURE, FUTURE, null],
        ['binned', 5, 4000, 1],
      ])
      const [later, soon] = documents.filter(({ name }) => name === 'later' || name === 'soon')
      assert.ok(later!.updated_at >= before && later!.updated_at <= Date.now())
      assert.equal(soon!.updated_at, later!.updated_at - 1)
      assert.equal(soon!.created_at, soon!.updated_at)
      const found = await database.searchIndex.find({ team: TEAM, textFolded: '', limit: 10 })
      assert.deepEqual(found, [4, 5, 3, 2, 1])
      const team = await database.read.selectFrom('team').select('changed_at').executeTakeFirstOrThrow()
      assert.equal(team.changed_at, later!.updated_at)
      const items = await database.read.selectFrom('bin_item').selectAll().execute()
      assert.deepEqual(
        items.map(({ id, public_id, document_id, deleted_at }) => [id, public_id, document_id, deleted_at]),
        [[1, 'bin_1', 6, 7]],
      )
    })
  })
}
