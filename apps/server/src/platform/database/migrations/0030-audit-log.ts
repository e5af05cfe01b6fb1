import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** The audit log: chains of events that are only appended, and how often tokens read. */
export const auditLog: Migration = {
  name: 'audit log',
  isExpansion: true,
  async up(write, dialect) {
    const long = dialect === 'sqlite' ? 'integer' : 'bigint'
    for (const statement of [...tables(long, OPTIONS[dialect]), ...TRIGGERS[dialect]])
      await write.executeQuery(CompiledQuery.raw(statement))
  },
}

const OPTIONS: Record<Dialect, string> = { sqlite: 'strict, without rowid', postgres: '' }

const tables = (long: string, options: string) => [
  `create table audit_chain (
    id text primary key,
    seq ${long} not null,
    hash text not null,
    purged_at ${long}
  ) ${options}`,
  `create table audit_event (
    chain text not null references audit_chain,
    seq ${long} not null,
    at ${long} not null,
    action text not null,
    actor_kind text not null,
    actor_id text,
    actor_name text,
    address text,
    session text,
    token text,
    request text,
    thing_kind text,
    thing_id text,
    thing_name text,
    details text,
    hash text not null,
    primary key (chain, seq)
  ) ${options}`,
  'create index audit_event_at on audit_event (chain, at, seq)',
  'create index audit_event_actor on audit_event (actor_id, chain, seq) where actor_id is not null',
  'create index audit_event_thing on audit_event (thing_id, chain, seq) where thing_id is not null',
  `create table token_reads (
    token_id integer not null references token on delete cascade,
    day text not null,
    endpoint text not null,
    reads ${long} not null,
    primary key (token_id, day, endpoint)
  ) ${options}`,
]

const FINAL = 'events of the audit log are never changed'
const KEPT = 'events of the audit log are only removed with their team'
const FORWARD = 'a chain of the audit log only grows'

const TRIGGERS: Record<Dialect, readonly string[]> = {
  sqlite: [
    `create trigger audit_event_final before update on audit_event
      begin select raise(abort, '${FINAL}'); end`,
    `create trigger audit_event_kept before delete on audit_event
      when not exists (select 1 from audit_chain where id = old.chain and purged_at is not null)
      begin select raise(abort, '${KEPT}'); end`,
    `create trigger audit_chain_forward before update on audit_chain
      when new.id <> old.id or new.seq < old.seq or old.purged_at is not null
      begin select raise(abort, '${FORWARD}'); end`,
    `create trigger audit_chain_kept before delete on audit_chain
      begin select raise(abort, '${FORWARD}'); end`,
  ],
  postgres: [
    `create function refuse_audit_change() returns trigger language plpgsql as
      $$ begin raise exception '%', tg_argv[0]; end $$`,
    `create function keep_audit_event() returns trigger language plpgsql as $$ begin
      if exists (select 1 from audit_chain where id = old.chain and purged_at is not null) then return old; end if;
      raise exception '${KEPT}';
    end $$`,
    `create trigger audit_event_final before update on audit_event
      for each row execute function refuse_audit_change('${FINAL}')`,
    'create trigger audit_event_kept before delete on audit_event for each row execute function keep_audit_event()',
    `create trigger audit_event_whole before truncate on audit_event
      for each statement execute function refuse_audit_change('${KEPT}')`,
    `create trigger audit_chain_forward before update on audit_chain for each row
      when (new.id <> old.id or new.seq < old.seq or old.purged_at is not null)
      execute function refuse_audit_change('${FORWARD}')`,
    `create trigger audit_chain_kept before delete on audit_chain
      for each row execute function refuse_audit_change('${FORWARD}')`,
    `create trigger audit_chain_whole before truncate on audit_chain
      for each statement execute function refuse_audit_change('${FORWARD}')`,
  ],
}
