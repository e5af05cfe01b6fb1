import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** The files that exports made, and the keys that their links are signed with. */
export const exports: Migration = {
  name: 'exports',
  async up(write, dialect) {
    for (const statement of statements(TYPES[dialect])) {
      await write.executeQuery(CompiledQuery.raw(statement))
    }
  },
}

interface Types {
  key: string
  /** Integers beyond 32 bits. */
  long: string
  /** Compared by code point, whatever the database's language. */
  text: string
  bytes: string
  /** What ends a table. */
  options: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { key: 'integer primary key', long: 'integer', text: 'text', bytes: 'blob', options: 'strict' },
  postgres: {
    key: 'integer primary key generated always as identity',
    long: 'bigint',
    text: 'text collate "C"',
    bytes: 'bytea',
    options: '',
  },
}

const statements = ({ key, long, text, bytes, options }: Types) => [
  // Either it is being made, under a claim, or it is there.
  `create table export_file (
    id ${key},
    made_of ${text} not null unique,
    document_id integer references document on delete set null,
    seq integer,
    solve_id integer references solve on delete set null,
    claimed_by ${text},
    lease_until ${long},
    digest ${text},
    bytes ${long},
    warnings ${text},
    kept_until ${long} not null,
    check ((claimed_by is null) = (lease_until is null)),
    check ((digest is null) = (bytes is null) and (digest is null) = (warnings is null)),
    check ((digest is null) = (claimed_by is not null))
  ) ${options}`,
  'create index export_file_document on export_file (document_id)',
  'create index export_file_solve on export_file (solve_id)',
  'create index export_file_kept on export_file (kept_until)',
  'create index export_file_digest on export_file (digest)',
  // An export can have the very bytes of an imported file: neither is to take the other's blob with it.
  'create index document_source_blob on document (source_blob) where source_blob is not null',

  `create table link_key (
    id ${key},
    secret ${bytes} not null,
    created_at ${long} not null,
    retired_at ${long}
  ) ${options}`,
  'create unique index link_key_current on link_key (coalesce(retired_at, 0)) where retired_at is null',

  // Why there is no model file although there is geometry: an export of such a solution cannot be made.
  `alter table solve add column model_fault ${text}`,
]
