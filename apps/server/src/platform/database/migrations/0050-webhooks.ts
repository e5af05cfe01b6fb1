import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** Webhooks of teams, what waits to be delivered to them, and what became of it. */
export const webhooks: Migration = {
  name: 'webhooks',
  // A process of an older Meadow tells webhooks of nothing: there are none before all processes know them.
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
  `create table webhook (
    id ${key},
    public_id text not null unique,
    team_id integer not null references team (id),
    name text not null,
    url text not null,
    events text not null,
    state text not null check (state in ('enabled', 'disabled', 'ended')),
    reason text,
    secret text not null,
    former_secret text,
    former_until ${long},
    failures integer not null,
    failing_since ${long},
    resume_at ${long} not null,
    delivered_at ${long},
    created_at ${long} not null,
    created_by text references "user" (id) on delete set null
  ) ${options}`,
  'create index webhook_team on webhook (team_id)',
  'create index webhook_created_by on webhook (created_by)',
  `create table webhook_delivery (
    id ${key},
    public_id text not null unique,
    webhook_id integer not null references webhook (id) on delete cascade,
    team_id integer not null references team (id),
    type text not null,
    about text,
    body text not null,
    merge_key text unique,
    state text not null check (state in ('waiting', 'delivered', 'failed')),
    created_at ${long} not null,
    expires_at ${long} not null,
    next_at ${long} not null,
    attempts integer not null,
    ended_at ${long},
    claimed_by text,
    lease_until ${long}
  ) ${options}`,
  "create index webhook_delivery_waiting on webhook_delivery (webhook_id, next_at) where state = 'waiting'",
  'create index webhook_delivery_log on webhook_delivery (webhook_id, id)',
  'create index webhook_delivery_ended on webhook_delivery (ended_at) where ended_at is not null',
  'create index webhook_delivery_team on webhook_delivery (team_id)',
  `create table webhook_attempt (
    id ${key},
    delivery_id integer not null references webhook_delivery (id) on delete cascade,
    at ${long} not null,
    duration_ms integer not null,
    status integer,
    error text,
    response text
  ) ${options}`,
  'create index webhook_attempt_delivery on webhook_attempt (delivery_id)',
]
