create table bin_item (
  id integer primary key,
  public_id text not null unique,
  team_id integer not null references team on delete cascade,
  folder_id integer,
  document_id integer,
  file_id integer,
  home_is_gone integer not null default 0,
  file_is_gone integer not null default 0,
  deleted_at bigint not null,
  deleted_by text references "user" on delete set null,
  check (case when folder_id is null then 0 else 1 end + case when document_id is null then 0 else 1 end + case
    when file_id is null then 0 else 1 end = 1)
);

create index bin_item_team on bin_item (team_id, id);

create table folder (
  id integer primary key,
  public_id text not null unique,
  team_id integer not null references team,
  parent_id integer references folder,
  name text not null,
  path text not null,
  created_at bigint not null,
  bin_id integer references bin_item,
  name_order text
);

create unique index folder_root on folder (team_id) where parent_id is null;
create index folder_parent on folder (parent_id, name);
create index folder_bin on folder (bin_id) where bin_id is not null;
create index folder_path on folder (path);

create table document (
  id integer primary key,
  public_id text not null unique,
  team_id integer not null references team,
  folder_id integer not null references folder,
  name text not null,
  name_folded text not null,
  visibility text not null check (visibility in ('private', 'public')),
  created_at bigint not null,
  updated_at bigint not null,
  seq integer not null,
  source_root_id integer references folder,
  source_from text,
  source_path text,
  source_sha256 text,
  source_size bigint,
  source_mtime bigint,
  source_blob text,
  source_seq integer,
  bin_id integer references bin_item,
  content_bytes bigint,
  source_view text,
  source_created bigint,
  source_modified bigint,
  source_gone text check (source_gone in ('told', 'kept')),
  source_facts text,
  source_reading integer,
  uses_seq integer,
  uses_source text,
  name_order text,
  shares_player integer not null default 0 check (shares_player in (0, 1)),
  public_until bigint,
  created_by text,
  shown_seq bigint,
  shown_until bigint,
  check (source_root_id is null or (source_from is not null and source_path is not null and source_sha256 is not
    null and source_size is not null and source_blob is not null))
);

create index document_source_blob on document (source_blob) where source_blob is not null;
create index document_bin on document (bin_id) where bin_id is not null;
create index document_folder on document (folder_id, bin_id);
create unique index document_source on document (source_root_id, source_path) where source_root_id is not null
  and bin_id is null;
create index document_binned_source on document (source_root_id, source_path) where source_root_id is not null
  and bin_id is not null;
create index document_uses_pending on document (team_id, id) where bin_id is null and (uses_seq is distinct from
  seq or uses_source is distinct from source_blob);
create index document_public on document (public_until) where public_until is not null;

create table document_facts (
  document_id integer primary key references document on delete cascade,
  digest text not null,
  file text not null,
  clusters blob,
  clusters_blob text,
  check ((clusters is null) <> (clusters_blob is null))
);

create index document_facts_blob on document_facts (clusters_blob) where clusters_blob is not null;

create table document_thumbnail (
  document_id integer primary key references document on delete cascade,
  digest text not null,
  kind text not null check (kind in ('geometry', 'graph')),
  is_partial integer not null check (is_partial in (0, 1)),
  seq integer not null,
  solve_id integer
);

create index document_thumbnail_digest on document_thumbnail (digest);

create table team_file (
  id integer primary key,
  public_id text not null unique,
  team_id integer not null references team,
  folder_id integer not null references folder,
  name text not null,
  name_folded text not null,
  kind text not null check (kind in ('model', 'user_object', 'cluster', 'text', 'csv')),
  created_at bigint not null,
  updated_at bigint not null,
  source_root_id integer references folder,
  source_from text,
  source_path text,
  source_sha256 text not null,
  source_size bigint not null,
  source_mtime bigint,
  source_created bigint,
  source_modified bigint,
  source_gone text check (source_gone in ('told', 'kept')),
  blob text not null,
  facts text not null,
  thumbnail text,
  bin_id integer references bin_item,
  check (source_root_id is null or (source_from is not null and source_path is not null))
);

create index team_file_team on team_file (team_id);
create index team_file_folder on team_file (folder_id, bin_id);
create index team_file_bin on team_file (bin_id) where bin_id is not null;
create unique index team_file_source on team_file (source_root_id, source_path) where source_root_id is not null
  and bin_id is null;
create index team_file_binned_source on team_file (source_root_id, source_path) where source_root_id is not null
  and bin_id is not null;
create index team_file_blob on team_file (blob);
create index team_file_thumbnail on team_file (thumbnail) where thumbnail is not null;

create table model_object (
  object_id text not null,
  file_id integer not null references team_file on delete cascade,
  primary key (object_id, file_id)
);

create index model_object_file on model_object (file_id);

create table document_reference (
  document_id integer not null references document on delete cascade,
  object_id text not null,
  primary key (document_id, object_id)
);

create index document_reference_object on document_reference (object_id);

create table mirror (
  id integer primary key,
  public_id text not null unique,
  team_id integer not null references team on delete cascade,
  folder_id integer unique references folder on delete set null,
  name text not null,
  path text not null,
  gone text not null,
  on_conflict text not null,
  created_at bigint not null,
  claimed_by text,
  lease_until bigint,
  watched_until bigint,
  completed_at bigint,
  check ((claimed_by is null) = (lease_until is null))
);

create index mirror_team on mirror (team_id);

create table mirror_run (
  id integer primary key,
  mirror_id integer not null references mirror on delete cascade,
  state text not null,
  started_at bigint not null,
  ended_at bigint,
  reason text,
  counts text,
  changes text,
  check ((state = 'running') = (ended_at is null))
);

create index mirror_run_mirror on mirror_run (mirror_id, id);

create table recent_document (
  user_id text not null references "user" on delete cascade,
  document_id integer not null references document on delete cascade,
  opened_at bigint not null,
  primary key (user_id, document_id)
) without rowid;

create index recent_document_document on recent_document (document_id);

create table favourite (
  id integer primary key,
  user_id text not null references "user" on delete cascade,
  folder_id integer references folder on delete cascade,
  document_id integer references document on delete cascade,
  file_id integer references team_file on delete cascade,
  check (case when folder_id is null then 0 else 1 end + case when document_id is null then 0 else 1 end + case
    when file_id is null then 0 else 1 end = 1)
);

create index favourite_user on favourite (user_id);
create unique index favourite_folder_id on favourite (folder_id, user_id) where folder_id is not null;
create unique index favourite_document_id on favourite (document_id, user_id) where document_id is not null;
create unique index favourite_file_id on favourite (file_id, user_id) where file_id is not null;
