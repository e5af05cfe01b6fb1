-- The JSON of a document in its folder, in the form of decision record 0058. PostgreSQL calls the functions behind it
-- stable, since they can depend on settings; with these arguments they do not.
create function document_listing(id text, name text, visibility text, created_at bigint, updated_at bigint)
returns text language sql immutable parallel safe as $$
  select '{"id":"' || id || '","name":' || to_json(name)::text || ',"visibility":"' || visibility || '","createdAt":"'
    || to_char(timestamp 'epoch' + created_at * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","updatedAt":"'
    || to_char(timestamp 'epoch' + updated_at * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}'
$$;
alter table document add column listing text collate "C"
  generated always as (document_listing(public_id, name, visibility, created_at, updated_at)) stored;
