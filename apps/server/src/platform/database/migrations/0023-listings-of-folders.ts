import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/**
 * Keys by which the databases sort names (`nameOrder`), and indexes that have what is in a folder in that order; on SQLite
 * as the JSON that is sent. Null: not computed yet, which a background task does. Empty: the name has no key.
 */
export const listingsOfFolders: Migration = {
  name: 'listings of folders',
  isExpansion: true,
  async up(write, dialect) {
    if (dialect === 'postgres') {
      for (const statement of LOCKS) await write.executeQuery(CompiledQuery.raw(statement))
    }
    for (const table of ['folder', 'document'] as const) {
      for (const statement of STATEMENTS[dialect](table, LISTED[table])) {
        await write.executeQuery(CompiledQuery.raw(statement))
      }
    }
  },
}

/**
 * Never waits with a lock: a process that has the documents and wants the folders would wait for this step, and PostgreSQL
 * could end either. The step is tried again.
 */
const LOCKS = [
  'lock table folder in access exclusive mode',
  'lock table document in access exclusive mode nowait',
]

type Listed = { parent: string; json: string }

const time = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`

const LISTED: Record<'folder' | 'document', Listed> = {
  folder: { parent: 'parent_id', json: `json_object('id', public_id, 'name', name)` },
  document: {
    parent: 'folder_id',
    json: `json_object('id', public_id, 'name', name, 'visibility', visibility,
      'createdAt', ${time('created_at')}, 'updatedAt', ${time('updated_at')})`,
  },
}

/** A process of an older Meadow changes a name and leaves the key of the former one. */
const STATEMENTS: Record<Dialect, (table: string, listed: Listed) => string[]> = {
  sqlite: (table, { parent, json }) => [
    `alter table ${table} add column name_order text`,
    `create index ${table}_listing on ${table} (${parent}, name_order, public_id, ${json}) where bin_id is null`,
    `create index ${table}_without_order on ${table} (team_id) where name_order is null`,
    `create trigger ${table}_renamed after update of name on ${table}
      when new.name <> old.name and new.name_order is old.name_order begin
        update ${table} set name_order = null where id = new.id;
      end`,
  ],
  postgres: (table, { parent }) => [
    `alter table ${table} add column name_order text collate "C"`,
    `create index ${table}_listing on ${table} (${parent}, name_order, public_id) where bin_id is null`,
    `create index ${table}_without_order on ${table} (team_id) where name_order is null`,
    `create function ${table}_forget_order() returns trigger language plpgsql as $$ begin
      new.name_order := null;
      return new;
    end $$`,
    `create trigger ${table}_renamed before update of name on ${table} for each row
      when (new.name <> old.name and new.name_order is not distinct from old.name_order)
      execute function ${table}_forget_order()`,
  ],
}
