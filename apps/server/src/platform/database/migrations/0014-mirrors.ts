import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** Folders on the operator's disk that are imported again and again, and what became of their last runs. */
export const mirrors: Migration = {
  name: 'mirrors',
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
  /** What ends a table. */
  options: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { key: 'integer primary key', long: 'integer', options: 'strict' },
  postgres: { key: 'integer primary key generated always as identity', long: 'bigint', options: '' },
}

const statements = ({ key, long, options }: Types) => [
  `create table mirror (
    id ${key},
    public_id text not null unique,
    team_id integer not null references team on delete cascade,
    folder_id integer unique references folder on delete set null,
    name text not null,
    path text not null,
    gone text not null,
    on_conflict text not null,
    created_at ${long} not null,
    claimed_by text,
    lease_until ${long},
    watched_until ${long},
    completed_at ${long},
    check ((claimed_by is null) = (lease_until is null))
  ) ${options}`,
  'create index mirror_team on mirror (team_id)',
  `create table mirror_run (
    id ${key},
    mirror_id integer not null references mirror on delete cascade,
    state text not null,
    started_at ${long} not null,
    ended_at ${long},
    reason text,
    counts text,
    changes text,
    check ((state = 'running') = (ended_at is null))
  ) ${options}`,
  'create index mirror_run_mirror on mirror_run (mirror_id, id)',
]
