import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'
import { TOKENIZER } from '../sqlite/sqlite-search-tokens.ts'

/** Teams, what they hold, their tokens, and the search index. */
export const teamsAndDocuments: Migration = {
  name: 'teams and documents',
  async up(write, dialect) {
    for (const statement of [...tables(TYPES[dialect]), ...SEARCH[dialect]]) {
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

const tables = ({ key, long, text, bytes, options }: Types) => [
  `create table team (
    id ${key},
    public_id ${text} not null unique,
    name ${text} not null,
    host ${text} unique,
    credits integer not null,
    version integer not null default 1,
    created_at ${long} not null
  ) ${options}`,

  `create table folder (
    id ${key},
    public_id ${text} not null unique,
    team_id integer not null references team,
    parent_id integer references folder,
    name ${text} not null,
    path ${text} not null,
    created_at ${long} not null
  ) ${options}`,
  'create unique index folder_root on folder (team_id) where parent_id is null',
  'create index folder_parent on folder (parent_id, name)',

  `create table document (
    id ${key},
    public_id ${text} not null unique,
    team_id integer not null references team,
    folder_id integer not null references folder,
    name ${text} not null,
    name_folded ${text} not null,
    visibility ${text} not null check (visibility in ('private', 'public')),
    created_at ${long} not null,
    updated_at ${long} not null,
    seq integer not null,
    source_root_id integer references folder,
    source_from ${text},
    source_path ${text},
    source_sha256 ${text},
    source_size ${long},
    source_mtime ${long},
    source_blob ${text},
    check (source_root_id is null or (source_from is not null and source_path is not null
      and source_sha256 is not null and source_size is not null and source_blob is not null))
  ) ${options}`,
  'create index document_folder on document (folder_id)',
  'create unique index document_source on document (source_root_id, source_path) where source_root_id is not null',

  `create table document_snapshot (
    document_id integer not null references document on delete cascade,
    format ${text} not null check (format in ('json', 'yjs')),
    seq integer not null,
    content ${bytes},
    blob ${text},
    primary key (document_id, format),
    check ((content is null) <> (blob is null))
  ) ${options}`,

  `create table document_change (
    document_id integer not null references document on delete cascade,
    seq integer not null,
    change ${bytes} not null,
    at ${long} not null,
    primary key (document_id, seq)
  ) ${options}`,

  `create table token (
    id ${key},
    public_id ${text} not null unique,
    team_id integer not null references team on delete cascade,
    name ${text} not null,
    hint ${text} not null,
    hash ${bytes} not null unique,
    scopes ${text} not null,
    created_at ${long} not null,
    expires_at ${long},
    revoked_at ${long}
  ) ${options}`,
  'create index token_team on token (team_id)',

  `create table solve (
    document_id integer primary key references document on delete cascade,
    state ${text} not null check (state in ('running', 'failed', 'solved'))
  ) ${options}`,
]

/** What each database finds documents with; read its `…-search-index.ts`. */
const SEARCH: Record<Dialect, string[]> = {
  sqlite: [
    `create virtual table document_search using fts5(
      tokens, content = '', columnsize = 0, detail = none, tokenize = "${TOKENIZER.replaceAll('"', '""')}")`,
    'create table search_slot (rank integer primary key, document_id integer not null) strict',
    'create table search_displacement (longest integer not null) strict',
    'insert into search_displacement values (0)',
  ],
  postgres: [
    `create table document_search (
      document_id integer primary key references document on delete cascade,
      tokens integer[] not null
    )`,
    // Searches read what was not yet merged one by one, so it is kept short.
    'create index document_search_tokens on document_search using gin (tokens) with (gin_pending_list_limit = 256)',
    'create index document_newest on document (team_id, updated_at desc, public_id)',
  ],
}
