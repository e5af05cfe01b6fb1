-- Programs that ask for an API token (0112, 0117).
create table device_authorization (
  device_hash blob primary key,
  user_hash blob not null unique,
  state text not null check (state in ('pending', 'confirmed', 'refused', 'fetched')),
  program text not null,
  address text not null,
  asked_at bigint not null,
  expires_at bigint not null,
  polled_at bigint,
  team_id integer references team on delete cascade,
  user_id text references "user" on delete cascade,
  session_id text,
  token text,
  token_id text,
  request text
);

create index device_authorization_expires_at on device_authorization (expires_at);
create index device_authorization_team_id on device_authorization (team_id);
create index device_authorization_user_id on device_authorization (user_id);
