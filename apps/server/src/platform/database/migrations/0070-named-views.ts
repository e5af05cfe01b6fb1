import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** Named views of documents. */
export const namedViews: Migration = {
  name: 'named-views',
  isExpansion: true,
  async up(write, dialect) {
    for (const statement of statements(TYPES[dialect])) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

interface Types {
  key: string
  long: string
  options: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { key: 'integer primary key', long: 'integer', options: 'strict' },
  postgres: { key: 'integer primary key generated always as identity', long: 'bigint', options: '' },
}

const statements = ({ key, long, options }: Types) => [
  `create table named_view (
    id ${key},
    public_id text not null unique,
    document_id integer not null references document (id) on delete cascade,
    name text not null,
    place text not null,
    deleted_at ${long}
  ) ${options}`,
  'create index named_view_document on named_view (document_id)',
  `create table view_revision (
    document_id integer primary key references document (id) on delete cascade,
    revision integer not null
  ) ${options}`,
]
