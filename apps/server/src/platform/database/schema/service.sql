create table process (
  id text primary key,
  kind text not null,
  version text not null,
  schema_version integer not null,
  host text not null,
  pid integer not null,
  address text,
  connections integer not null,
  blob_store text,
  secret_fingerprint text,
  started_at bigint not null,
  seen_at bigint not null
) without rowid;

create table blob_store (
  id text primary key,
  state text not null check (state in ('current', 'next', 'former')),
  location text not null,
  host text not null,
  created_at bigint not null
);

create unique index blob_store_in_use on blob_store (state) where state <> 'former';

create table probe (
  id text primary key,
  asked_at bigint not null
);

create table probe_answer (
  probe_id text not null references probe on delete cascade,
  process_id text not null,
  answer text not null,
  primary key (probe_id, process_id)
);

create table exclusive_task (
  name text primary key,
  process_id text not null
) without rowid;

create table rate_window (
  key text primary key,
  until bigint not null,
  taken integer not null,
  last_grant integer not null
) without rowid;

create table backup_run (
  id text primary key,
  target text not null,
  host text not null,
  started_at bigint not null,
  lease_until bigint,
  ended_at bigint,
  moment text,
  check ((lease_until is null) <> (ended_at is null))
) without rowid;

create table service_clock (
  id integer primary key check (id = 1),
  seen_at bigint not null,
  lead_ms bigint not null,
  jumped_at bigint,
  ahead_until bigint
);
