insert into change_epoch (epoch) values (gen_random_uuid()::text);

create function note_happening(team integer, item text, kind text, what text, place text) returns void
language sql as $$
  insert into happening (team_id, version, item, kind, what, place)
  select team.id, team.version, $2, $3, $4, $5 from team where team.id = $1
  on conflict (item, what, place) do update set version = excluded.version
$$;

create function folder_happened() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    perform note_happening(new.team_id, new.public_id, 'folder', 'created', '');
    return null;
  elsif tg_op = 'DELETE' then
    delete from happening where item = old.public_id and place = '';
    if old.bin_id is null then
      perform note_happening(old.team_id, old.public_id, 'folder', 'deleted', old.path);
    end if;
    return null;
  end if;
  if new.name <> old.name then
    perform note_happening(new.team_id, new.public_id, 'folder', 'renamed', '');
  end if;
  if new.parent_id <> old.parent_id and old.bin_id is null then
    perform note_happening(new.team_id, new.public_id, 'folder', 'moved', old.path);
  end if;
  if new.path <> old.path and old.path <> '' and old.bin_id is null then
    perform note_happening(new.team_id, new.public_id, 'folder', 'carried', old.path);
  end if;
  if old.bin_id is null and new.bin_id is not null then
    perform note_happening(new.team_id, new.public_id, 'folder', 'binned', old.path);
  elsif old.bin_id is not null and new.bin_id is null then
    perform note_happening(new.team_id, new.public_id, 'folder', 'restored', '');
  end if;
  return null;
end $$;

create trigger folder_happened_0 after insert or delete on folder
  for each row execute function folder_happened();
create trigger folder_happened_1 after update of name, parent_id, path, bin_id on folder
  for each row execute function folder_happened();

create function document_happened() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    perform note_happening(new.team_id, new.public_id, 'document', 'created', '');
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from happening where item = old.public_id and place = '';
    if old.bin_id is null then
      perform note_happening(old.team_id, old.public_id, 'document', 'deleted',
        (select path from folder where id = old.folder_id));
    end if;
    return null;
  end if;
  if new.seq <> old.seq or new.visibility <> old.visibility
    or (new.updated_at <> old.updated_at and new.name = old.name) then
    perform note_happening(new.team_id, new.public_id, 'document', 'changed', '');
  end if;
  if new.name <> old.name then
    perform note_happening(new.team_id, new.public_id, 'document', 'renamed', '');
  end if;
  if new.folder_id <> old.folder_id and old.bin_id is null then
    perform note_happening(new.team_id, new.public_id, 'document', 'moved',
      (select path from folder where id = old.folder_id));
  end if;
  if old.bin_id is null and new.bin_id is not null then
    perform note_happening(new.team_id, new.public_id, 'document', 'binned',
      (select path from folder where id = old.folder_id));
  elsif old.bin_id is not null and new.bin_id is null then
    perform note_happening(new.team_id, new.public_id, 'document', 'restored', '');
  end if;
  return null;
end $$;

create trigger document_happened_0 after insert or delete on document
  for each row execute function document_happened();
create trigger document_happened_1 after update of name, folder_id, visibility, seq, updated_at, bin_id on document
  for each row execute function document_happened();

create function solve_happened() returns trigger language plpgsql as $$ begin
  perform note_happening(team_id, public_id, 'document', new.state, '') from document where id = new.document_id;
  return null;
end $$;

create trigger solve_happened after update of state on solve
  for each row when (new.state in ('solved', 'failed') and old.state <> new.state)
  execute function solve_happened();
