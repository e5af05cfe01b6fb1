import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** Mails that wait, links that work once, and the address that an invitation is mailed to. */
export const mail: Migration = {
  name: 'mail',
  isExpansion: true,
  async up(write, dialect) {
    for (const statement of statements(TYPES[dialect])) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

interface Types {
  key: string
  long: string
  bytes: string
  options: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { key: 'integer primary key', long: 'integer', bytes: 'blob', options: 'strict' },
  postgres: {
    key: 'integer primary key generated always as identity',
    long: 'bigint',
    bytes: 'bytea',
    options: '',
  },
}

const statements = ({ key, long, bytes, options }: Types) => [
  `create table mail (
    id ${key},
    kind text not null check (kind in ('notice', 'confirm', 'reset', 'invitation')),
    recipient text not null,
    about text,
    subject text,
    body text,
    state text not null check (state in ('waiting', 'sent', 'failed', 'dropped')),
    created_at ${long} not null,
    expires_at ${long} not null,
    next_at ${long} not null,
    attempts integer not null,
    ended_at ${long},
    reason text,
    claimed_by text,
    lease_until ${long}
  ) ${options}`,
  "create index mail_waiting on mail (next_at) where state = 'waiting'",
  // How many were asked for of late.
  'create index mail_recipient on mail (recipient, created_at)',
  `create table one_time_link (
    hash ${bytes} primary key,
    purpose text not null check (purpose in ('confirm', 'reset')),
    user_id text not null references "user" (id) on delete cascade,
    email text not null,
    expires_at ${long} not null
  ) ${options}`,
  'create index one_time_link_user on one_time_link (user_id)',
  'alter table invitation add column email text',
]
