import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** The processes of the service that run on this database. */
export const processes: Migration = {
  name: 'processes',
  async up(write, dialect) {
    await write.executeQuery(CompiledQuery.raw(createTable(TYPES[dialect])))
  },
}

const TYPES: Record<Dialect, { long: string; options: string }> = {
  sqlite: { long: 'integer', options: 'strict, without rowid' },
  postgres: { long: 'bigint', options: '' },
}

const createTable = ({ long, options }: (typeof TYPES)[Dialect]) => `create table process (
    id text primary key,
    kind text not null,
    version text not null,
    schema_version integer not null,
    host text not null,
    pid integer not null,
    address text,
    connections integer not null,
    blob_store text,
    secret_fingerprint text,
    started_at ${long} not null,
    seen_at ${long} not null
  ) ${options}`
