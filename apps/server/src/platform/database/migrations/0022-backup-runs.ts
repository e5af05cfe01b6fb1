import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** The backups of this database: while one runs, no blob is removed. */
export const backupRuns: Migration = {
  name: 'backup runs',
  async up(write, dialect) {
    await write.executeQuery(CompiledQuery.raw(createTable(TYPES[dialect])))
  },
}

const TYPES: Record<Dialect, { long: string; options: string }> = {
  sqlite: { long: 'integer', options: 'strict, without rowid' },
  postgres: { long: 'bigint', options: '' },
}

const createTable = ({ long, options }: (typeof TYPES)[Dialect]) => `create table backup_run (
    id text primary key,
    target text not null,
    host text not null,
    started_at ${long} not null,
    lease_until ${long},
    ended_at ${long},
    moment text,
    check ((lease_until is null) <> (ended_at is null))
  ) ${options}`
