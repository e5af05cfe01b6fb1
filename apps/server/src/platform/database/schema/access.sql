create table token (
  id integer primary key,
  public_id text not null unique,
  team_id integer not null references team on delete cascade,
  name text not null,
  hint text not null,
  hash blob not null unique,
  scopes text not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  created_by text references "user" on delete set null,
  last_used_at bigint,
  is_limited integer not null default 0,
  kind text not null default 'personal' check (kind in ('personal', 'service')),
  addresses text,
  origins text,
  last_used_from text,
  replaced_by text,
  notice_sent_at bigint,
  end_reason text check (end_reason in ('maker_left', 'maker_role', 'policy', 'leaked'))
);

create index token_team on token (team_id);
create index token_origins on token (id) where origins is not null;
create index token_end on token (expires_at) where revoked_at is null and replaced_by is null and notice_sent_at
  is null;

create table token_folder (
  token_id integer not null references token on delete cascade,
  folder_id integer not null references folder on delete cascade,
  primary key (token_id, folder_id)
) without rowid;

create index token_folder_folder on token_folder (folder_id);

create table token_reads (
  token_id integer not null references token on delete cascade,
  day text not null,
  endpoint text not null,
  reads bigint not null,
  primary key (token_id, day, endpoint)
) without rowid;

create table audit_chain (
  id text primary key,
  seq bigint not null,
  hash text not null,
  purged_at bigint
) without rowid;

create table audit_event (
  chain text not null references audit_chain,
  seq bigint not null,
  at bigint not null,
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
) without rowid;

create index audit_event_at on audit_event (chain, at, seq);
create index audit_event_actor on audit_event (actor_id, chain, seq) where actor_id is not null;
create index audit_event_thing on audit_event (thing_id, chain, seq) where thing_id is not null;

create table webhook (
  id integer primary key,
  public_id text not null unique,
  team_id integer not null references team,
  name text not null,
  url text not null,
  events text not null,
  state text not null check (state in ('enabled', 'disabled', 'ended')),
  reason text,
  secret text not null,
  former_secret text,
  former_until bigint,
  failures integer not null,
  failing_since bigint,
  resume_at bigint not null,
  delivered_at bigint,
  created_at bigint not null,
  created_by text references "user" on delete set null,
  is_limited integer not null default 0,
  folder_id integer references folder on delete set null
);

create index webhook_team on webhook (team_id);
create index webhook_created_by on webhook (created_by);
create index webhook_folder on webhook (folder_id) where folder_id is not null;

create table webhook_delivery (
  id integer primary key,
  public_id text not null unique,
  webhook_id integer not null references webhook on delete cascade,
  team_id integer not null references team,
  type text not null,
  about text,
  body text not null,
  merge_key text unique,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  created_at bigint not null,
  expires_at bigint not null,
  next_at bigint not null,
  attempts integer not null,
  ended_at bigint,
  claimed_by text,
  lease_until bigint
);

create index webhook_delivery_waiting on webhook_delivery (webhook_id, next_at) where state = 'waiting';
create index webhook_delivery_log on webhook_delivery (webhook_id, id);
create index webhook_delivery_ended on webhook_delivery (ended_at) where ended_at is not null;
create index webhook_delivery_team on webhook_delivery (team_id);

create table webhook_attempt (
  id integer primary key,
  delivery_id integer not null references webhook_delivery on delete cascade,
  at bigint not null,
  duration_ms integer not null,
  status integer,
  error text,
  response text
);

create index webhook_attempt_delivery on webhook_attempt (delivery_id);
