import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** What the web app needs: the bin, invitations, where credits went, and who made and uses tokens. */
export const webApp: Migration = {
  name: 'web app',
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
  // One of `folder_id` and `document_id` states what was deleted; what is inside carries the item's key as well.
  `create table bin_item (
    id ${key},
    public_id ${text} not null unique,
    team_id integer not null references team on delete cascade,
    folder_id integer,
    document_id integer,
    -- 1 once the folder that it was in is deleted permanently: it is below the root since.
    home_is_gone integer not null default 0,
    deleted_at ${long} not null,
    deleted_by text references "user" ("id") on delete set null,
    check ((folder_id is null) <> (document_id is null))
  ) ${options}`,
  'create index bin_item_team on bin_item (team_id, id)',
  'alter table folder add column bin_id integer references bin_item',
  'alter table document add column bin_id integer references bin_item',
  'create index folder_bin on folder (bin_id) where bin_id is not null',
  'create index document_bin on document (bin_id) where bin_id is not null',
  // Counts what is in a folder without looking at it.
  'drop index document_folder',
  'create index document_folder on document (folder_id, bin_id)',
  // A file whose document is in the bin can be imported again.
  'drop index document_source',
  `create unique index document_source on document (source_root_id, source_path)
    where source_root_id is not null and bin_id is null`,
  // All folders below one are a range of paths.
  'create index folder_path on folder (path)',

  'create index document_snapshot_blob on document_snapshot (blob) where blob is not null',

  // Blobs of items that were deleted permanently; each is removed once nothing names it.
  `create table discarded_blob (
    digest ${text} primary key,
    discarded_at ${long} not null
  ) ${options}`,

  `create table invitation (
    id ${key},
    public_id ${text} not null unique,
    team_id integer not null references team on delete cascade,
    role ${text} not null check (role in ('owner', 'member', 'viewer')),
    note ${text} not null,
    hash ${bytes} not null unique,
    created_at ${long} not null,
    created_by text not null references "user" ("id") on delete cascade,
    expires_at ${long} not null
  ) ${options}`,
  'create index invitation_team on invitation (team_id)',

  // A record of its own: solves are forgotten some time after a newer one took their place.
  `create table credit_entry (
    id ${key},
    team_id integer not null references team on delete cascade,
    at ${long} not null,
    credits integer not null,
    solution_id ${text},
    state ${text} check (state in ('solved', 'failed')),
    duration_ms ${long},
    document_id ${text},
    document_name ${text},
    check (solution_id is null or (state is not null and duration_ms is not null and document_id is not null
      and document_name is not null))
  ) ${options}`,
  'create index credit_entry_team on credit_entry (team_id, id)',
  `insert into credit_entry (team_id, at, credits, solution_id, state, duration_ms, document_id, document_name)
    select solve.team_id, ended_at, -solve.credits, solve.public_id, state, coalesce(duration_ms, 0), document.public_id,
      document.name
    from solve join document on document.id = solve.document_id
    where ended_at is not null and solve.credits > 0
    order by ended_at`,

  'alter table token add column created_by text references "user" ("id") on delete set null',
  `alter table token add column last_used_at ${long}`,

  // What the editor is shown of a solution: numbers, and what can be drawn.
  `alter table solve add column summary ${text}`,
  `alter table solve add column scene_gzip ${text}`,
  `alter table solve add column scene_zstd ${text}`,
  `alter table solve add column scene_bytes ${long}`,
]
