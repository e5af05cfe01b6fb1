import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** Second factors of people, when a session proved who uses it, and teams that require a second factor. */
export const secondFactors: Migration = {
  name: 'second factors',
  // Older processes accept sessions without a factor for as long as they run.
  isExpansion: true,
  async up(write, dialect) {
    for (const statement of statements(TYPES[dialect])) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

interface Types {
  long: string
  bytes: string
  options: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { long: 'integer', bytes: 'blob', options: 'strict' },
  postgres: { long: 'bigint', bytes: 'bytea', options: '' },
}

const statements = ({ long, bytes, options }: Types) => [
  `alter table "session" add column "provedAt" ${long}`,
  `alter table "session" add column "factorAt" ${long}`,
  'alter table team add column requires_second_factor integer not null default 0 check (requires_second_factor in (0, 1))',

  `create table second_factor (
    id text primary key,
    user_id text not null references "user" ("id") on delete cascade,
    kind text not null check (kind in ('totp', 'passkey')),
    name text not null,
    created_at ${long} not null,
    used_at ${long},
    secret text,
    last_step ${long},
    credential_id text unique,
    relying_party text,
    public_key ${bytes},
    counter ${long},
    transports text,
    check ((kind = 'totp') = (secret is not null)),
    check ((kind = 'passkey') = (credential_id is not null and relying_party is not null
      and public_key is not null and counter is not null and transports is not null))
  ) ${options}`,
  'create index second_factor_user on second_factor (user_id)',
  "create unique index second_factor_totp on second_factor (user_id) where kind = 'totp'",

  `create table recovery_code (
    user_id text not null references "user" ("id") on delete cascade,
    hash ${bytes} not null,
    primary key (user_id, hash)
  ) ${options}`,

  `create table spent_challenge (
    hash ${bytes} primary key,
    until ${long} not null
  ) ${options}`,
  'create index spent_challenge_until on spent_challenge (until)',
]
