import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** How often signing in failed of late, for all processes together. */
export const failedAttempts: Migration = {
  name: 'failed attempts',
  async up(write, dialect) {
    for (const statement of STATEMENTS[dialect]) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

const INDEX = 'create index failed_attempt_until on failed_attempt (until)'

const STATEMENTS: Record<Dialect, string[]> = {
  sqlite: [
    `create table failed_attempt (
      hash blob primary key,
      count integer not null,
      until integer not null
    ) strict, without rowid`,
    INDEX,
  ],
  postgres: [
    `create table failed_attempt (
      hash bytea primary key,
      count integer not null,
      until bigint not null
    )`,
    INDEX,
  ],
}
