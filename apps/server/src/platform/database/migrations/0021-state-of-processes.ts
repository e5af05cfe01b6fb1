import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** What processes agree on: who does a task that one of them does for all, and how many requests of a token they took. */
export const stateOfProcesses: Migration = {
  name: 'state of processes',
  async up(write, dialect) {
    for (const statement of STATEMENTS[dialect]) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

/** `unlogged`: written without the log, which loses the counts of a minute in a crash. */
const createTables = (long: string, options: string, unlogged: string) => [
  `create table exclusive_task (
    name text primary key,
    process_id text not null
  ) ${options}`,
  `create ${unlogged} table rate_window (
    key text primary key,
    until ${long} not null,
    taken integer not null,
    last_grant integer not null
  ) ${options}`,
]

/** The end of a session or a membership, another role, and a document in the bin: whatever statement does it. */
const ACCESS_CHANGES = [
  'delete on session',
  'delete or update on membership',
  'update of bin_id on document',
  'delete on document',
]

const STATEMENTS: Record<Dialect, string[]> = {
  sqlite: createTables('integer', 'strict, without rowid', ''),
  postgres: [
    ...createTables('bigint', '', 'unlogged'),
    `create function notify_access_change() returns trigger language plpgsql as $$ begin
      perform pg_notify('meadow', 'access');
      return null;
    end $$`,
    ...ACCESS_CHANGES.map(
      (change, index) => `create trigger access_changed_${index} after ${change}
        for each statement execute function notify_access_change()`,
    ),
  ],
}
