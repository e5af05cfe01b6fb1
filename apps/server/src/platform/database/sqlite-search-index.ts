import type { DatabaseSync } from 'node:sqlite'
import type { SearchIndex } from './search-index.ts'
import { createSqliteSearch } from './sqlite-search-find.ts'
import { writeSearchIndex } from './sqlite-search-write.ts'

/**
 * The index is an FTS5 table without content, whose rowid is the document's rank: FTS5 walks its lists in the
 * order of rowids, so documents come newest first, one by one, and none is looked at that is not asked for.
 * `search_slot` tells which document has a rank. Where a rank is taken, a document gets the next free one below;
 * `search_displacement` holds the longest such move, so that a search knows how far it has to look on.
 */
export function createSqliteSearchIndex(reader: DatabaseSync): SearchIndex {
  return { apply: writeSearchIndex, find: createSqliteSearch(reader) }
}
