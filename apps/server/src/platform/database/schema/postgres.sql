create index folder_listing on folder (parent_id, name_order, public_id) where bin_id is null;
create index document_listing on document (folder_id, name_order, public_id) where bin_id is null;
-- A search that many documents match reads the newest ones from this index alone.
create index document_newest_names on document (team_id, updated_at desc, public_id)
  include (id, folder_id, name_folded) where bin_id is null;

create table document_search (
  document_id integer primary key references document on delete cascade,
  tokens integer[] not null
);

-- Searches read what was not yet merged one by one, so the list of it is short.
create index document_search_tokens on document_search using gin (tokens) with (gin_pending_list_limit = 256);

create function count_document() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    update team set document_count = document_count + 1,
      stored_bytes = stored_bytes + coalesce(new.source_size, 0) + coalesce(new.content_bytes, 0)
    where id = new.team_id;
  elsif tg_op = 'UPDATE' then
    update team set stored_bytes = stored_bytes + (coalesce(new.source_size, 0) + coalesce(new.content_bytes, 0))
      - (coalesce(old.source_size, 0) + coalesce(old.content_bytes, 0))
    where id = new.team_id;
  else
    update team set document_count = document_count - 1,
      stored_bytes = stored_bytes - (coalesce(old.source_size, 0) + coalesce(old.content_bytes, 0))
    where id = old.team_id;
  end if;
  return null;
end $$;

create trigger document_counted after insert or delete on document
  for each row execute function count_document();
create trigger document_measured after update of source_size, content_bytes on document
  for each row when (coalesce(new.source_size, 0) + coalesce(new.content_bytes, 0)
    <> coalesce(old.source_size, 0) + coalesce(old.content_bytes, 0))
  execute function count_document();

create function count_team_file() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    update team set stored_bytes = stored_bytes + new.source_size where id = new.team_id;
  elsif tg_op = 'UPDATE' then
    update team set stored_bytes = stored_bytes + new.source_size - old.source_size where id = new.team_id;
  else
    update team set stored_bytes = stored_bytes - old.source_size where id = old.team_id;
  end if;
  return null;
end $$;

create trigger team_file_counted after insert or delete on team_file
  for each row execute function count_team_file();
create trigger team_file_measured after update of source_size on team_file
  for each row when (new.source_size <> old.source_size) execute function count_team_file();

-- Who may see what is held in memory by each process, which forgets it then.
create function notify_access_change() returns trigger language plpgsql as $$ begin
  perform pg_notify('meadow', 'access');
  return null;
end $$;

create trigger access_changed_0 after delete on session
  for each statement execute function notify_access_change();
create trigger access_changed_1 after delete or update on membership
  for each statement execute function notify_access_change();
create trigger access_changed_2 after update of bin_id on document
  for each statement execute function notify_access_change();
create trigger access_changed_3 after delete on document
  for each statement execute function notify_access_change();

create function refuse_audit_change() returns trigger language plpgsql as $$ begin
  raise exception '%', tg_argv[0];
end $$;

create function keep_audit_event() returns trigger language plpgsql as $$ begin
  if exists (select 1 from audit_chain where id = old.chain and purged_at is not null) then
    return old;
  end if;
  raise exception 'events of the audit log are only removed with their team';
end $$;

create trigger audit_event_final before update on audit_event
  for each row execute function refuse_audit_change('events of the audit log are never changed');
create trigger audit_event_kept before delete on audit_event
  for each row execute function keep_audit_event();
create trigger audit_event_whole before truncate on audit_event
  for each statement execute function refuse_audit_change('events of the audit log are only removed with their team');
create trigger audit_chain_forward before update on audit_chain
  for each row when (new.id <> old.id or new.seq < old.seq or old.purged_at is not null)
  execute function refuse_audit_change('a chain of the audit log only grows');
create trigger audit_chain_kept before delete on audit_chain
  for each row execute function refuse_audit_change('a chain of the audit log only grows');
create trigger audit_chain_whole before truncate on audit_chain
  for each statement execute function refuse_audit_change('a chain of the audit log only grows');

-- What it holds ends within minutes, and need not outlive a crash.
alter table rate_window set unlogged;
