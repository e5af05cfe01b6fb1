create table solve (
  id integer primary key,
  public_id text not null unique,
  document_id integer not null references document on delete cascade,
  team_id integer not null references team,
  seq integer not null,
  state text not null check (state in ('queued', 'running', 'failed', 'solved')),
  asked_at bigint not null,
  claimed_by text,
  lease_until bigint,
  attempts integer not null default 0,
  started_at bigint,
  ended_at bigint,
  superseded_at bigint,
  duration_ms bigint,
  reason text,
  credit_tenths bigint,
  values_gzip text,
  values_zstd text,
  values_bytes bigint,
  model text,
  model_bytes bigint,
  model_objects integer,
  units text,
  geometry_gzip text,
  geometry_zstd text,
  geometry_bytes bigint,
  bimz_gzip text,
  bimz_zstd text,
  bimz_bytes bigint,
  model_fault text,
  summary text,
  scene_gzip text,
  scene_zstd text,
  scene_bytes bigint,
  completeness text,
  fingerprint text,
  cause text check (cause in ('asked', 'automatic')),
  check (state <> 'running' or (claimed_by is not null and lease_until is not null and credit_tenths is not null)),
  check (state <> 'failed' or (reason is not null and ended_at is not null)),
  check (state <> 'solved' or (values_gzip is not null and values_zstd is not null and values_bytes is not null
    and ended_at is not null and duration_ms is not null))
);

create index solve_document on solve (document_id, id);
create unique index solve_queued on solve (document_id) where state = 'queued';
create unique index solve_running on solve (document_id) where state = 'running';
create index solve_waiting on solve (team_id, id) where state = 'queued';
create index solve_lease on solve (team_id, lease_until, credit_tenths) where state = 'running';
create index solve_started on solve (team_id, started_at);
create index solve_superseded on solve (superseded_at) where superseded_at is not null;
create index solve_fingerprint on solve (document_id, fingerprint) where fingerprint is not null;

create table export_file (
  id integer primary key,
  made_of text not null unique,
  document_id integer references document on delete set null,
  seq integer,
  solve_id integer references solve on delete set null,
  claimed_by text,
  lease_until bigint,
  digest text,
  bytes bigint,
  warnings text,
  kept_until bigint not null,
  check ((claimed_by is null) = (lease_until is null)),
  check ((digest is null) = (bytes is null) and (digest is null) = (warnings is null)),
  check ((digest is null) = (claimed_by is not null))
);

create index export_file_document on export_file (document_id);
create index export_file_solve on export_file (solve_id);
create index export_file_kept on export_file (kept_until);
create index export_file_digest on export_file (digest);

create table link_key (
  id integer primary key,
  secret blob not null,
  created_at bigint not null,
  retired_at bigint
);

create unique index link_key_current on link_key (coalesce(retired_at, 0)) where retired_at is null;

create table credit_entry (
  id integer primary key,
  team_id integer not null references team on delete cascade,
  at bigint not null,
  credit_tenths bigint not null,
  solution_id text,
  state text check (state in ('solved', 'failed')),
  duration_ms bigint,
  document_id text,
  document_name text,
  cause text check (cause in ('asked', 'automatic')),
  check (solution_id is null or (state is not null and duration_ms is not null and document_id is not null and
    document_name is not null))
);

create index credit_entry_team on credit_entry (team_id, id);
create index credit_entry_document on credit_entry (document_id) where document_id is not null;
create index credit_entry_use on credit_entry (team_id, at, document_id, credit_tenths, cause) where document_id
  is not null;
