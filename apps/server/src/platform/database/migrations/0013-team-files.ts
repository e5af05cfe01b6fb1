import { CompiledQuery, sql } from 'kysely'
import type { Dialect, Write } from '../database.ts'
import type { Migration } from '../migration.ts'

/**
 * Files of a team that are not documents, the ids that connect models with definitions, and what a mirror of a folder
 * stores. `updated_at` becomes the time of a change here: it was that of the imported file, which is retained in columns
 * of its own (decision 43).
 */
export const teamFiles: Migration = {
  name: 'team files',
  async up(write, dialect) {
    const types = TYPES[dialect]
    const steps = [...columns(types), ...binItems(types)[dialect], ...tables(types), ...TRIGGERS[dialect]]
    for (const statement of steps) await write.executeQuery(CompiledQuery.raw(statement))
    await moveTimes(write)
  },
}

interface Types {
  key: string
  /** Integers beyond 32 bits. */
  long: string
  /** Compared by code point, whatever the database's language. */
  text: string
  /** What ends a table. */
  options: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { key: 'integer primary key', long: 'integer', text: 'text', options: 'strict' },
  postgres: {
    key: 'integer primary key generated always as identity',
    long: 'bigint',
    text: 'text collate "C"',
    options: '',
  },
}

const columns = ({ long, text }: Types) => [
  `alter table document add column source_created ${long}`,
  `alter table document add column source_modified ${long}`,
  `alter table document add column source_gone ${text} check (source_gone in ('told', 'kept'))`,
  `alter table team add column changed_at ${long} not null default 0`,
]

/** An item of the bin can be another file, which changes a constraint. SQLite can only make the table again. */
const binItems = ({ key, long, text, options }: Types): Record<Dialect, string[]> => ({
  sqlite: [
    // No row refers to the table while it is dropped.
    `create table was_binned as
      select 'document' as kind, id, bin_id from document where bin_id is not null
      union all select 'folder', id, bin_id from folder where bin_id is not null`,
    'drop index document_source',
    'update document set bin_id = null where bin_id is not null',
    'update folder set bin_id = null where bin_id is not null',
    `create table new_bin_item (
      id ${key},
      public_id ${text} not null unique,
      team_id integer not null references team on delete cascade,
      folder_id integer,
      document_id integer,
      file_id integer,
      home_is_gone integer not null default 0,
      file_is_gone integer not null default 0,
      deleted_at ${long} not null,
      deleted_by text references "user" ("id") on delete set null,
      check (${ONE_OF_THREE})
    ) ${options}`,
    `insert into new_bin_item (id, public_id, team_id, folder_id, document_id, home_is_gone, deleted_at, deleted_by)
      select id, public_id, team_id, folder_id, document_id, home_is_gone, deleted_at, deleted_by from bin_item`,
    'drop table bin_item',
    'alter table new_bin_item rename to bin_item',
    'create index bin_item_team on bin_item (team_id, id)',
    ...['document', 'folder'].map(
      (table) => `update ${table} set bin_id = was.bin_id
        from (select id, bin_id from was_binned where kind = '${table}') as was where was.id = ${table}.id`,
    ),
    'drop table was_binned',
    `create unique index document_source on document (source_root_id, source_path)
      where source_root_id is not null and bin_id is null`,
  ],
  postgres: [
    'alter table bin_item add column file_id integer',
    'alter table bin_item add column file_is_gone integer not null default 0',
    'alter table bin_item drop constraint bin_item_check',
    `alter table bin_item add constraint bin_item_check check (${ONE_OF_THREE})`,
  ],
})

const ONE_OF_THREE = ['folder_id', 'document_id', 'file_id']
  .map((column) => `case when ${column} is null then 0 else 1 end`)
  .join(' + ')
  .concat(' = 1')

const tables = ({ key, long, text, options }: Types) => [
  // A file whose document is in the bin is looked up by its path as well.
  `create index document_binned_source on document (source_root_id, source_path)
    where source_root_id is not null and bin_id is not null`,

  `create table team_file (
    id ${key},
    public_id ${text} not null unique,
    team_id integer not null references team,
    folder_id integer not null references folder,
    name ${text} not null,
    name_folded ${text} not null,
    kind ${text} not null check (kind in ('model', 'user_object', 'cluster')),
    created_at ${long} not null,
    updated_at ${long} not null,
    source_root_id integer references folder,
    source_from ${text},
    source_path ${text},
    source_sha256 ${text} not null,
    source_size ${long} not null,
    source_mtime ${long},
    source_created ${long},
    source_modified ${long},
    source_gone ${text} check (source_gone in ('told', 'kept')),
    blob ${text} not null,
    facts ${text} not null,
    thumbnail ${text},
    bin_id integer references bin_item,
    check (source_root_id is null or (source_from is not null and source_path is not null))
  ) ${options}`,
  'create index team_file_team on team_file (team_id)',
  'create index team_file_folder on team_file (folder_id, bin_id)',
  'create index team_file_bin on team_file (bin_id) where bin_id is not null',
  `create unique index team_file_source on team_file (source_root_id, source_path)
    where source_root_id is not null and bin_id is null`,
  `create index team_file_binned_source on team_file (source_root_id, source_path)
    where source_root_id is not null and bin_id is not null`,
  'create index team_file_blob on team_file (blob)',
  'create index team_file_thumbnail on team_file (thumbnail) where thumbnail is not null',

  `create table model_object (
    object_id ${text} not null,
    file_id integer not null references team_file on delete cascade,
    primary key (object_id, file_id)
  ) ${options}`,
  'create index model_object_file on model_object (file_id)',

  `create table document_reference (
    document_id integer not null references document on delete cascade,
    object_id ${text} not null,
    primary key (document_id, object_id)
  ) ${options}`,
  'create index document_reference_object on document_reference (object_id)',
]

const INSERTED = `update team set stored_bytes = stored_bytes + new.source_size where id = new.team_id;`
const UPDATED = `update team set stored_bytes = stored_bytes + new.source_size - old.source_size
  where id = new.team_id;`
const DELETED = `update team set stored_bytes = stored_bytes - old.source_size where id = old.team_id;`

/** The counters of the team's quota (decision record 0023). */
const TRIGGERS: Record<Dialect, string[]> = {
  sqlite: [
    `create trigger team_file_inserted after insert on team_file begin ${INSERTED} end`,
    `create trigger team_file_updated after update of source_size on team_file
      when new.source_size <> old.source_size begin ${UPDATED} end`,
    `create trigger team_file_deleted after delete on team_file begin ${DELETED} end`,
  ],
  postgres: [
    `create function count_team_file() returns trigger language plpgsql as $$ begin
      if tg_op = 'INSERT' then ${INSERTED} end if;
      if tg_op = 'UPDATE' then ${UPDATED} end if;
      if tg_op = 'DELETE' then ${DELETED} end if;
      return null;
    end $$`,
    `create trigger team_file_counted after insert or delete on team_file
      for each row execute function count_team_file()`,
    `create trigger team_file_measured after update of source_size on team_file
      for each row when (new.source_size <> old.source_size) execute function count_team_file()`,
  ],
}

/**
 * The times of imported documents become those of their files, as far as they are known: an edit since the import has
 * another time. Times in the future become now, in their order, so that later changes come first.
 */
async function moveTimes(write: Write): Promise<void> {
  await sql`update document set source_created = created_at,
      source_modified = coalesce(source_mtime, case when seq = source_seq then updated_at end)
    where source_blob is not null and source_from <> 'upload'`.execute(write)
  const now = Date.now()
  await sql`update document set created_at = ${now} where created_at > ${now}`.execute(write)
  const { rows } = await sql<{ id: number }>`select id from document
    where updated_at > ${now} order by updated_at, public_id desc`.execute(write)
  // A later step makes the search index again.
  for (const [position, { id }] of rows.entries()) {
    const updatedAt = now - (rows.length - 1 - position)
    await sql`update document set updated_at = ${updatedAt},
        created_at = case when created_at > ${updatedAt} then ${updatedAt} else created_at end
      where id = ${id}`.execute(write)
  }
  await sql`update team set changed_at = coalesce(
    (select max(updated_at) from document where document.team_id = team.id), 0)`.execute(write)
}
