create table team (
  id integer primary key,
  public_id text not null unique,
  name text not null,
  host text unique,
  credit_tenths bigint not null,
  version integer not null default 1,
  created_at bigint not null,
  document_count integer not null default 0,
  stored_bytes bigint not null default 0,
  max_documents integer,
  max_bytes bigint,
  solver text not null default 'meadow',
  changed_at bigint not null default 0,
  units text not null default 'none',
  token_longest_days integer check (token_longest_days > 0),
  token_scopes text,
  token_addresses text,
  requires_second_factor integer not null default 0 check (requires_second_factor in (0, 1)),
  deleted_at bigint,
  public_documents integer not null default 0 check (public_documents in (0, 1)),
  public_days integer default 90 check (public_days > 0),
  versions_all_days integer default 1 check (versions_all_days >= 0),
  versions_daily_days integer default 30 check (versions_daily_days >= 0),
  versions_weekly_days integer check (versions_weekly_days >= 0),
  changes_from integer not null default 0
);

create table "user" (
  id text not null primary key,
  name text not null,
  email text not null unique,
  "emailVerified" boolean not null,
  "createdAt" timestamp not null default current_timestamp,
  "updatedAt" timestamp not null default current_timestamp,
  mention_mails integer not null default 1
);

create table session (
  id text not null primary key,
  "expiresAt" timestamp not null,
  token text not null unique,
  "createdAt" timestamp not null default current_timestamp,
  "updatedAt" timestamp not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references "user" on delete cascade,
  "provedAt" bigint,
  "factorAt" bigint
);

create index "session_userId_idx" on "session" ("userId");

create table account (
  id text not null primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references "user" on delete cascade,
  password text,
  "createdAt" timestamp not null default current_timestamp,
  "updatedAt" timestamp not null
);

create index "account_userId_idx" on "account" ("userId");

create table second_factor (
  id text primary key,
  user_id text not null references "user" on delete cascade,
  kind text not null check (kind in ('totp', 'passkey')),
  name text not null,
  created_at bigint not null,
  used_at bigint,
  secret text,
  last_step bigint,
  credential_id text unique,
  relying_party text,
  public_key blob,
  counter bigint,
  transports text,
  check ((kind = 'totp') = (secret is not null)),
  check ((kind = 'passkey') = (credential_id is not null and relying_party is not null and public_key is not null
    and counter is not null and transports is not null))
);

create index second_factor_user on second_factor (user_id);
create unique index second_factor_totp on second_factor (user_id) where kind = 'totp';

create table recovery_code (
  user_id text not null references "user" on delete cascade,
  hash blob not null,
  primary key (user_id, hash)
);

create table spent_challenge (
  hash blob primary key,
  until bigint not null
);

create index spent_challenge_until on spent_challenge (until);

create table membership (
  team_id integer not null references team on delete cascade,
  user_id text not null references "user" on delete cascade,
  role text not null check (role in ('owner', 'member', 'viewer')),
  created_at bigint not null,
  by_provider integer not null default 0 check (by_provider in (0, 1)),
  own_role text check (own_role in ('owner', 'member', 'viewer')),
  primary key (team_id, user_id)
);

create index membership_user on membership (user_id);

create table invitation (
  id integer primary key,
  public_id text not null unique,
  team_id integer not null references team on delete cascade,
  role text not null check (role in ('owner', 'member', 'viewer')),
  note text not null,
  hash blob not null unique,
  created_at bigint not null,
  created_by text not null references "user" on delete cascade,
  expires_at bigint not null,
  email text
);

create index invitation_team on invitation (team_id);

create table failed_attempt (
  hash blob primary key,
  count integer not null,
  until bigint not null
) without rowid;

create index failed_attempt_until on failed_attempt (until);

create table one_time_link (
  hash blob primary key,
  purpose text not null check (purpose in ('confirm', 'reset')),
  user_id text not null references "user" on delete cascade,
  email text not null,
  expires_at bigint not null
);

create index one_time_link_user on one_time_link (user_id);

create table mail (
  id integer primary key,
  kind text not null check (kind in ('notice', 'confirm', 'reset', 'invitation')),
  recipient text not null,
  about text,
  subject text,
  body text,
  state text not null check (state in ('waiting', 'sent', 'failed', 'dropped')),
  created_at bigint not null,
  expires_at bigint not null,
  next_at bigint not null,
  attempts integer not null,
  ended_at bigint,
  reason text,
  claimed_by text,
  lease_until bigint
);

create index mail_waiting on mail (next_at) where state = 'waiting';
create index mail_recipient on mail (recipient, created_at);

create table team_deletion (
  public_id text primary key,
  asked_at bigint not null,
  purge_at bigint not null,
  begun_at bigint,
  ended_at bigint,
  counts text not null default '{}'
);
