import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Programs that ask for an API token, until it is fetched (0112). */
export const deviceAuthorizations: Migration = {
  name: 'device authorizations',
  isAdditive: true,
  async up(write, dialect) {
    const blob = sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea')
    const text = sql.raw(dialect === 'sqlite' ? 'text' : 'text collate "C"')
    const strict = sql.raw(dialect === 'sqlite' ? 'strict' : '')
    const bigint = sql.raw(dialect === 'sqlite' ? 'integer' : 'bigint')
    await sql`create table device_authorization (
      device_hash ${blob} primary key,
      user_hash ${blob} not null unique,
      state ${text} not null check (state in ('pending', 'confirmed', 'refused')),
      program ${text} not null,
      address ${text} not null,
      asked_at ${bigint} not null,
      expires_at ${bigint} not null,
      polled_at ${bigint},
      team_id integer references team on delete cascade,
      user_id ${text} references "user" on delete cascade,
      session_id ${text},
      token ${text}
    ) ${strict}`.execute(write)
    for (const column of ['expires_at', 'team_id', 'user_id'])
      await sql`create index ${sql.ref(`device_authorization_${column}`)} on device_authorization
        (${sql.ref(column)})`.execute(write)
  },
}
