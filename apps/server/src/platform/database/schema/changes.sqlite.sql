insert into change_epoch (epoch) values (lower(hex(randomblob(16))));

create trigger folder_happened_0 after insert on folder begin
  insert into happening (team_id, version, item, kind, what, place)
  select id, version, new.public_id, 'folder', 'created', '' from team where id = new.team_id;
end;

create trigger folder_happened_1 after update of name, parent_id, path, bin_id on folder begin
  insert into happening (team_id, version, item, kind, what, place)
  select id, version, new.public_id, 'folder', what, place from team join (
    select 'renamed' as what, '' as place where new.name <> old.name
    union all select 'moved', old.path where new.parent_id <> old.parent_id and old.bin_id is null
    union all select 'carried', old.path where new.path <> old.path and old.path <> '' and old.bin_id is null
    union all select 'binned', old.path where old.bin_id is null and new.bin_id is not null
    union all select 'restored', '' where old.bin_id is not null and new.bin_id is null
  ) where id = new.team_id
  on conflict (item, what, place) do update set version = excluded.version;
end;

create trigger folder_happened_2 after delete on folder begin
  delete from happening where item = old.public_id and place = '';
  insert into happening (team_id, version, item, kind, what, place)
  select id, version, old.public_id, 'folder', 'deleted', old.path from team
  where id = old.team_id and old.bin_id is null;
end;

create trigger document_happened_0 after insert on document begin
  insert into happening (team_id, version, item, kind, what, place)
  select id, version, new.public_id, 'document', 'created', '' from team where id = new.team_id;
end;

create trigger document_happened_1 after update of name, folder_id, visibility, seq, updated_at, bin_id on document begin
  insert into happening (team_id, version, item, kind, what, place)
  select id, version, new.public_id, 'document', what, place from team join (
    select 'changed' as what, '' as place where new.seq <> old.seq or new.visibility <> old.visibility
      or (new.updated_at <> old.updated_at and new.name = old.name)
    union all select 'renamed', '' where new.name <> old.name
    union all select 'moved', (select path from folder where id = old.folder_id)
      where new.folder_id <> old.folder_id and old.bin_id is null
    union all select 'binned', (select path from folder where id = old.folder_id)
      where old.bin_id is null and new.bin_id is not null
    union all select 'restored', '' where old.bin_id is not null and new.bin_id is null
  ) where id = new.team_id
  on conflict (item, what, place) do update set version = excluded.version;
end;

create trigger document_happened_2 after delete on document begin
  delete from happening where item = old.public_id and place = '';
  insert into happening (team_id, version, item, kind, what, place)
  select team.id, version, old.public_id, 'document', 'deleted', path from team
  join folder on folder.id = old.folder_id where team.id = old.team_id and old.bin_id is null;
end;

create trigger solve_happened after update of state on solve
  when new.state in ('solved', 'failed') and old.state <> new.state
begin
  insert into happening (team_id, version, item, kind, what, place)
  select team.id, team.version, document.public_id, 'document', new.state, '' from document
  join team on team.id = document.team_id where document.id = new.document_id
  on conflict (item, what, place) do update set version = excluded.version;
end;
