create table used_thing (
  id integer primary key,
  team_id integer not null references team on delete cascade,
  kind text not null,
  key text not null,
  version text not null,
  name text not null,
  words_folded text not null,
  detail text not null,
  -- Of a script: its text in lower case.
  script text,
  check ((kind = 'script') = (script is not null))
);

create unique index used_thing_identity on used_thing (team_id, kind, key, version);

create table document_use (
  document_id integer not null references document on delete cascade,
  thing_id integer not null references used_thing on delete cascade,
  nodes integer not null,
  -- Nodes inside clusters.
  nested integer not null,
  primary key (thing_id, document_id)
) without rowid;

create index document_use_document on document_use (document_id);

create table document_graph (
  document_id integer primary key references document on delete cascade,
  nodes integer not null,
  graph_hash text,
  -- Equal for equal rows of document_use.
  uses_hash text not null,
  -- Why a part of the document is not in the index, or all of it.
  gap text,
  is_read integer not null,
  indexed_at bigint not null
);

create index document_graph_gap on document_graph (document_id) where gap is not null;

create table uses_reader (
  id integer primary key check (id = 1),
  version text not null
);
