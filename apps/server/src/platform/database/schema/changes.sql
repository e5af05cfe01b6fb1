-- What has happened to folders and documents: each word for the last time only, and departures for the last time from
-- each place. Triggers write it, so that no writer can forget it. Nothing happens to what is in the bin until it is restored.
create table happening (
  team_id integer not null references team on delete cascade,
  -- The version of the team that the transaction has made.
  version integer not null,
  item text not null,
  kind text not null check (kind in ('folder', 'document')),
  what text not null check (what in ('created', 'changed', 'renamed', 'moved', 'carried', 'binned', 'restored', 'deleted',
    'solved', 'failed')),
  -- Of a departure: the path of the folder, for a document of the folder it was in. Otherwise empty.
  place text not null,
  primary key (item, what, place)
) without rowid;

create index happening_version on happening (team_id, version, item);
create index happening_departure on happening (team_id, version) where place <> '';

-- Made with the tables and not part of a backup: versions of before a restore mean nothing after it.
create table change_epoch (
  epoch text not null
);
