import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** The stores that have the blobs of the service, so that a process with another one is noticed. */
export const blobStores: Migration = {
  name: 'blob stores',
  async up(write, dialect) {
    for (const statement of statements(TYPES[dialect])) {
      await write.executeQuery(CompiledQuery.raw(statement))
    }
  },
}

const TYPES: Record<Dialect, { long: string; options: string }> = {
  sqlite: { long: 'integer', options: 'strict' },
  postgres: { long: 'bigint', options: '' },
}

const statements = ({ long, options }: (typeof TYPES)[Dialect]) => [
  `create table blob_store (
    id text primary key,
    state text not null check (state in ('current', 'next', 'former')),
    location text not null,
    host text not null,
    created_at ${long} not null
  ) ${options}`,
  "create unique index blob_store_in_use on blob_store (state) where state <> 'former'",
  `create table probe (
    id text primary key,
    asked_at ${long} not null
  ) ${options}`,
  `create table probe_answer (
    probe_id text not null references probe on delete cascade,
    process_id text not null,
    answer text not null,
    primary key (probe_id, process_id)
  ) ${options}`,
]
