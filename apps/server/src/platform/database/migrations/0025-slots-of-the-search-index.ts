import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'
import { TOKENIZER } from '../sqlite/sqlite-search-tokens.ts'
import { rebuildSearchIndex } from '../sqlite/sqlite-search-writes.ts'

/**
 * SQLite's search index gets numbers that are close together, names beside them, and more tokens (decision record 0059).
 * PostgreSQL's stays as it is.
 */
export const slotsOfTheSearchIndex: Migration = {
  name: 'slots of the search index',
  isExpansion: 'postgres',
  async up(write, dialect) {
    if (dialect === 'postgres') return
    for (const statement of TABLES) await write.executeQuery(CompiledQuery.raw(statement))
    await rebuildSearchIndex(write)
  },
}

const TABLES = [
  'drop table document_search',
  'drop table search_slot',
  'drop table search_displacement',
  `create virtual table document_search using fts5(
    tokens, content = '', columnsize = 0, detail = none, tokenize = "${TOKENIZER.replaceAll('"', '""')}")`,
  `create table search_slot (
    slot integer primary key,
    document_id integer not null unique,
    name_folded text not null,
    path text not null
  ) strict`,
]
