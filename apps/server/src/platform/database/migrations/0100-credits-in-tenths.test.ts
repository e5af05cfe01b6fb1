import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../../testing/at-end.ts'
import { DATABASES } from '../../../testing/databases.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { creditsInTenths } from './0100-credits-in-tenths.ts'
import { MIGRATIONS } from './index.ts'

/** More tenths of a credit than 32 bits hold. */
const MOST = 1_000_000_000

/** A team with many credits and one in debt, a solve of each state, and what they were charged. */
const LEFT = [
  `insert into team (public_id, name, credits, created_at) values ('team_1', 'Rich', ${MOST}, 0)`,
  "insert into team (public_id, name, credits, created_at) values ('team_2', 'Poor', -3, 0)",
  "insert into folder (public_id, team_id, name, path, created_at) values ('fld_1', 1, 'root', '1/', 0)",
  `insert into document (public_id, team_id, folder_id, name, name_folded, visibility, created_at, updated_at, seq)
    values ('doc_1', 1, 1, 'Tower', 'tower', 'private', 0, 0, 1)`,
  `insert into solve (public_id, document_id, team_id, seq, state, asked_at, ended_at, reason, credits)
    values ('sol_1', 1, 1, 1, 'failed', 0, 1, 'It broke.', 2)`,
  `insert into solve (public_id, document_id, team_id, seq, state, asked_at, claimed_by, lease_until, credits)
    values ('sol_2', 1, 1, 1, 'running', 0, 'one', 5, 60)`,
  "insert into solve (public_id, document_id, team_id, seq, state, asked_at) values ('sol_3', 1, 1, 1, 'queued', 0)",
  `insert into credit_entry (team_id, at, credits) values (1, 0, ${MOST})`,
  `insert into credit_entry (team_id, at, credits, solution_id, state, duration_ms, document_id, document_name)
    values (1, 1, -2, 'sol_1', 'failed', 1500, 'doc_1', 'Tower')`,
]

for (const kind of DATABASES) {
  describe(`the step to tenths of a credit on ${kind.name}`, kind.options, () => {
    test('[JOB-8] given teams, solves and charges in whole credits, when the tables are updated, then all are kept in tenths, and no cause is made up', async (t) => {
      const location = await kind.createLocation(t, { empty: true })
      const database: Database = location.databaseUrl
        ? await openPostgres({ url: location.databaseUrl })
        : openSqlite(location.dataDir)
      atEnd(t, () => database.close())
      const steps = MIGRATIONS.indexOf(creditsInTenths)
      await migrate(database, MIGRATIONS.slice(0, steps))
      await database.transaction(async (write) => {
        for (const statement of LEFT) await sql.raw(statement).execute(write)
      })
      await migrate(database, MIGRATIONS.slice(0, steps + 1))
      const { read } = database
      const teams = await read.selectFrom('team').select('credit_tenths').orderBy('id').execute()
      assert.deepEqual(teams, [{ credit_tenths: 10 * MOST }, { credit_tenths: -30 }])
      const solves = await read.selectFrom('solve').select(['credit_tenths', 'cause']).orderBy('id').execute()
      assert.deepEqual(
        solves,
        [20, 600, null].map((credit_tenths) => ({ credit_tenths, cause: null })),
      )
      const entries = await read
        .selectFrom('credit_entry')
        .select(['credit_tenths', 'cause'])
        .orderBy('id')
        .execute()
      assert.deepEqual(
        entries,
        [10 * MOST, -20].map((credit_tenths) => ({ credit_tenths, cause: null })),
      )
    })
  })
}
