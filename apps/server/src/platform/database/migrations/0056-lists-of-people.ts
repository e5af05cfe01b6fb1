import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** What people opened lately, and what they marked as favourites. */
export const listsOfPeople: Migration = {
  name: 'lists of people',
  isExpansion: true,
  async up(write, dialect) {
    for (const statement of statements(TYPES[dialect])) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

interface Types {
  key: string
  long: string
  options: string
  /** What ends a table without other columns than its key and a few numbers. */
  small: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { key: 'integer primary key', long: 'integer', options: 'strict', small: 'strict, without rowid' },
  postgres: {
    key: 'integer primary key generated always as identity',
    long: 'bigint',
    options: '',
    small: '',
  },
}

const USER = 'user_id text not null references "user" ("id") on delete cascade'

const statements = ({ key, long, options, small }: Types) => [
  `create table recent_document (
    ${USER},
    document_id integer not null references document on delete cascade,
    opened_at ${long} not null,
    primary key (user_id, document_id)
  ) ${small}`,
  'create index recent_document_document on recent_document (document_id)',

  `create table favourite (
    id ${key},
    ${USER},
    folder_id integer references folder on delete cascade,
    document_id integer references document on delete cascade,
    file_id integer references team_file on delete cascade,
    check (case when folder_id is null then 0 else 1 end + case when document_id is null then 0 else 1 end
      + case when file_id is null then 0 else 1 end = 1)
  ) ${options}`,
  'create index favourite_user on favourite (user_id)',
  ...['folder_id', 'document_id', 'file_id'].map(
    (column) =>
      `create unique index favourite_${column} on favourite (${column}, user_id) where ${column} is not null`,
  ),
]
