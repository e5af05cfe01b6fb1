import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** The queue of solves, and what each left. The table that stood in for it was never written to. */
export const solves: Migration = {
  name: 'solves',
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
  /** What ends a table. */
  options: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { key: 'integer primary key', long: 'integer', text: 'text', options: 'strict' },
  postgres: {
    key: 'integer primary key generated always as identity',
    long: 'bigint',
    text: 'text collate "C"',
    options: '',
  },
}

const statements = ({ key, long, text, options }: Types) => [
  'drop table solve',

  `create table solve (
    id ${key},
    public_id ${text} not null unique,
    document_id integer not null references document on delete cascade,
    team_id integer not null references team,
    seq integer not null,
    state ${text} not null check (state in ('queued', 'running', 'failed', 'solved')),
    asked_at ${long} not null,
    claimed_by ${text},
    lease_until ${long},
    attempts integer not null default 0,
    started_at ${long},
    ended_at ${long},
    superseded_at ${long},
    duration_ms ${long},
    reason ${text},
    credits integer,
    values_gzip ${text},
    values_zstd ${text},
    values_bytes ${long},
    model ${text},
    model_bytes ${long},
    model_objects integer,
    units ${text},
    geometry_gzip ${text},
    geometry_zstd ${text},
    geometry_bytes ${long},
    bimz_gzip ${text},
    bimz_zstd ${text},
    bimz_bytes ${long},
    check (state <> 'running' or (claimed_by is not null and lease_until is not null and credits is not null)),
    check (state <> 'failed' or (reason is not null and ended_at is not null)),
    check (state <> 'solved' or (values_gzip is not null and values_zstd is not null and values_bytes is not null
      and ended_at is not null and duration_ms is not null))
  ) ${options}`,
  // The most recent solve of a document, and those that it made obsolete.
  'create index solve_document on solve (document_id, id)',
  // No solve runs twice at once for one document, and a newer wish takes the place of one that waits.
  "create unique index solve_queued on solve (document_id) where state = 'queued'",
  "create unique index solve_running on solve (document_id) where state = 'running'",
  // Whose turn it is, what runs, and which team was served last.
  "create index solve_waiting on solve (team_id, id) where state = 'queued'",
  "create index solve_lease on solve (team_id, lease_until, credits) where state = 'running'",
  'create index solve_started on solve (team_id, started_at)',
  'create index solve_superseded on solve (superseded_at) where superseded_at is not null',
]
