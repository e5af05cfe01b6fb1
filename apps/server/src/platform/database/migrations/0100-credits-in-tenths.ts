import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** Credits are counted in tenths, and each solve and its charge say whether somebody asked for it. */
export const creditsInTenths: Migration = {
  name: 'credits in tenths',
  // Not an expansion: an older process would charge a solve ten times too little, or give a tenth of the credits.
  async up(write, dialect) {
    const statements = [
      // It is made anew below, with the cause.
      'drop index credit_entry_use',
      ...TABLES.flatMap((table) => [
        `alter table ${table} rename column credits to credit_tenths`,
        ...multiply(table, dialect),
      ]),
      ...['solve', 'credit_entry'].map(
        (table) => `alter table ${table} add column cause text check (cause in ('asked', 'automatic'))`,
      ),
      `create index credit_entry_use on credit_entry (team_id, at, document_id, credit_tenths, cause)
        where document_id is not null`,
    ]
    for (const statement of statements) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

const TABLES = ['team', 'solve', 'credit_entry']

/** A team may have a thousand million credits: ten times as many are too many for PostgreSQL's `integer`. */
const multiply = (table: string, dialect: Dialect) =>
  dialect === 'sqlite'
    ? [`update ${table} set credit_tenths = credit_tenths * 10 where credit_tenths <> 0`]
    : [`alter table ${table} alter column credit_tenths type bigint using credit_tenths::bigint * 10`]
