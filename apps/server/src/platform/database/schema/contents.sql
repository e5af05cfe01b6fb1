create table document_snapshot (
  document_id integer not null references document on delete cascade,
  format text not null check (format in ('json', 'yjs')),
  seq integer not null,
  content blob,
  blob text,
  at bigint,
  author_kind text check (author_kind in ('person', 'agent', 'import', 'operator')),
  user_id text,
  primary key (document_id, format),
  check ((content is null) <> (blob is null))
);

create index document_snapshot_blob on document_snapshot (blob) where blob is not null;

create table document_change (
  document_id integer not null references document on delete cascade,
  seq integer not null,
  change blob not null,
  at bigint not null,
  user_id text,
  session_id text,
  author_kind text check (author_kind in ('person', 'agent', 'import', 'operator')),
  primary key (document_id, seq)
);

create table document_client (
  document_id integer not null references document on delete cascade,
  client bigint not null,
  user_id text not null,
  primary key (document_id, client)
);

create table document_value (
  document_id integer not null references document on delete cascade,
  digest text not null,
  bytes bigint not null,
  is_tree integer not null,
  -- Since when nothing in the document refers to it, as far as its log was folded.
  unused_at bigint,
  primary key (document_id, digest)
);

create index document_value_digest on document_value (digest);
create index document_value_unused on document_value (unused_at) where unused_at is not null;

create table discarded_blob (
  digest text primary key,
  discarded_at bigint not null
);

create table version_base (
  id integer primary key,
  document_id integer not null references document on delete cascade,
  content blob,
  blob text,
  is_plain integer not null check (is_plain in (0, 1)),
  bytes bigint not null,
  least_delta bigint not null default 0,
  growth bigint not null default 0,
  check ((content is null) <> (blob is null))
);

create index version_base_document on version_base (document_id);
create index version_base_blob on version_base (blob) where blob is not null;

create table version_source (
  id integer primary key,
  document_id integer not null references document on delete cascade,
  blob text not null,
  reading integer,
  name text not null,
  created bigint,
  modified bigint,
  facts text,
  file text,
  clusters blob,
  clusters_blob text
);

create index version_source_document on version_source (document_id);
create index version_source_blob on version_source (blob);
create index version_source_clusters on version_source (clusters_blob) where clusters_blob is not null;

create table document_version (
  id integer primary key,
  public_id text not null unique,
  team_id integer not null references team on delete cascade,
  document_id integer not null references document on delete cascade,
  seq integer not null,
  at bigint not null,
  kind text not null check (kind in ('created', 'pause', 'import', 'solve', 'restore', 'manual')),
  name text,
  named_by text,
  is_pinned integer not null default 0 check (is_pinned in (0, 1)),
  authors text not null,
  nodes integer not null,
  wires integer not null,
  fingerprint text not null,
  base_id integer not null references version_base,
  delta blob,
  bytes bigint not null,
  source_id integer references version_source,
  unique (document_id, seq)
);

create index document_version_team on document_version (team_id);
create index document_version_base on document_version (base_id);
create index document_version_source on document_version (source_id) where source_id is not null;

create table version_value (
  document_id integer not null references document on delete cascade,
  digest text not null,
  from_seq integer not null,
  -- Null: the newest version refers to it.
  to_seq integer,
  bytes bigint not null,
  is_tree integer not null,
  primary key (document_id, digest, from_seq)
);

create index version_value_digest on version_value (digest);

create table comment_thread (
  id integer primary key,
  public_id text not null unique,
  team_id integer not null references team,
  document_id integer not null references document on delete cascade,
  anchor text not null,
  created_at bigint not null,
  resolved_at bigint,
  resolved_by text references "user" on delete set null
);

create index comment_thread_document on comment_thread (document_id);
create index comment_thread_team on comment_thread (team_id);
create index comment_thread_resolved_by on comment_thread (resolved_by) where resolved_by is not null;

create table comment (
  id integer primary key,
  public_id text not null unique,
  document_id integer not null references document on delete cascade,
  thread_id integer not null references comment_thread on delete cascade,
  author_id text references "user" on delete set null,
  text text not null,
  created_at bigint not null,
  edited_at bigint
);

create index comment_document on comment (document_id);
create index comment_thread_comments on comment (thread_id, id);
create index comment_author on comment (author_id, created_at);

create table comment_mention (
  comment_id integer not null references comment on delete cascade,
  user_id text not null references "user" on delete cascade,
  primary key (comment_id, user_id)
);

create index comment_mention_user on comment_mention (user_id);

create table comment_read (
  thread_id integer not null references comment_thread on delete cascade,
  user_id text not null references "user" on delete cascade,
  seen integer not null,
  primary key (thread_id, user_id)
);

create index comment_read_user on comment_read (user_id);

create table comment_revision (
  document_id integer primary key references document on delete cascade,
  revision integer not null
);

create table named_view (
  id integer primary key,
  public_id text not null unique,
  document_id integer not null references document on delete cascade,
  name text not null,
  place text not null,
  deleted_at bigint
);

create index named_view_document on named_view (document_id);

create table view_revision (
  document_id integer primary key references document on delete cascade,
  revision integer not null
);
