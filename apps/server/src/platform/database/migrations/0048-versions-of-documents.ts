import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** Versions of documents, the authors of changes, and for how long a team keeps versions. */
export const versionsOfDocuments: Migration = {
  name: 'versions of documents',
  // What an older process changes has no author. It shortens logs without keeping versions, until it is replaced.
  isExpansion: true,
  async up(write, dialect) {
    for (const statement of statements(TYPES[dialect])) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

interface Types {
  key: string
  long: string
  bytes: string
  text: string
  options: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { key: 'integer primary key', long: 'integer', bytes: 'blob', text: 'text', options: 'strict' },
  postgres: {
    key: 'integer primary key generated always as identity',
    long: 'bigint',
    bytes: 'bytea',
    text: 'text collate "C"',
    options: '',
  },
}

const AUTHORS = "check (author_kind in ('person', 'agent', 'import', 'operator'))"

const statements = ({ key, long, bytes, text, options }: Types) => [
  // Who `user_id` is, or whom it stands for. Null: it was made before this was recorded.
  `alter table document_change add column author_kind ${text} ${AUTHORS}`,
  // Of the change that the content is as of, where the log does not have it.
  `alter table document_snapshot add column at ${long}`,
  `alter table document_snapshot add column author_kind ${text} ${AUTHORS}`,
  `alter table document_snapshot add column user_id ${text}`,
  // Of the content that was solved.
  `alter table solve add column fingerprint ${text}`,
  'create index solve_fingerprint on solve (document_id, fingerprint) where fingerprint is not null',
  // Null: for ever.
  'alter table team add column versions_all_days integer default 1 check (versions_all_days >= 0)',
  'alter table team add column versions_daily_days integer default 30 check (versions_daily_days >= 0)',
  'alter table team add column versions_weekly_days integer check (versions_weekly_days >= 0)',

  `create table version_base (
    id ${key},
    document_id integer not null references document on delete cascade,
    content ${bytes},
    blob ${text},
    is_plain integer not null check (is_plain in (0, 1)),
    bytes ${long} not null,
    least_delta ${long} not null default 0,
    growth ${long} not null default 0,
    check ((content is null) <> (blob is null))
  ) ${options}`,
  'create index version_base_document on version_base (document_id)',
  'create index version_base_blob on version_base (blob) where blob is not null',

  `create table version_source (
    id ${key},
    document_id integer not null references document on delete cascade,
    blob ${text} not null,
    reading integer,
    name text not null,
    created ${long},
    modified ${long},
    facts ${text},
    file text,
    clusters ${bytes},
    clusters_blob ${text}
  ) ${options}`,
  'create index version_source_document on version_source (document_id)',
  'create index version_source_blob on version_source (blob)',
  'create index version_source_clusters on version_source (clusters_blob) where clusters_blob is not null',

  `create table document_version (
    id ${key},
    public_id ${text} not null unique,
    team_id integer not null references team on delete cascade,
    document_id integer not null references document on delete cascade,
    seq integer not null,
    at ${long} not null,
    kind ${text} not null check (kind in ('created', 'pause', 'import', 'solve', 'restore', 'manual')),
    name text,
    named_by ${text},
    is_pinned integer not null default 0 check (is_pinned in (0, 1)),
    authors text not null,
    nodes integer not null,
    wires integer not null,
    fingerprint ${text} not null,
    base_id integer not null references version_base,
    delta ${bytes},
    bytes ${long} not null,
    source_id integer references version_source,
    unique (document_id, seq)
  ) ${options}`,
  'create index document_version_team on document_version (team_id)',
  'create index document_version_base on document_version (base_id)',
  'create index document_version_source on document_version (source_id) where source_id is not null',

  `create table version_value (
    document_id integer not null references document on delete cascade,
    digest ${text} not null,
    from_seq integer not null,
    -- Null: the newest version refers to it.
    to_seq integer,
    bytes ${long} not null,
    is_tree integer not null,
    primary key (document_id, digest, from_seq)
  ) ${options}`,
  'create index version_value_digest on version_value (digest)',
]
