import type { DatabaseSync } from 'node:sqlite'
import { HIGHEST_RANK } from './search-rank.ts'
import { matchAll } from './sqlite-search-text.ts'

/** A document that has all the tokens that were asked for. */
export interface Candidate {
  rank: bigint
  id: bigint
  updated_at: bigint
  public_id: string
  name_folded: string
  /** How far below its place a document can stand, at most. */
  displacement: bigint
}

/** What a search reads from the index. Ranks have more than 53 bits. */
export interface SqliteSearchReads {
  /** The newest documents that have all of the tokens, from the rank `highest` on. */
  candidates(tokens: string[], highest: bigint, limit: number): Candidate[]
  /** The distance between the ranks of the newest few documents with this token; undefined when there are none. */
  spanOfNewest(token: string): bigint | undefined
}

const NEWEST = 8

export function createSqliteSearchReads(reader: DatabaseSync): SqliteSearchReads {
  const prepared = (sql: string) => {
    let statement: ReturnType<DatabaseSync['prepare']> | undefined
    // Not before it is needed: the tables are made after the database is opened.
    return () => (statement ??= reader.prepare(sql, { readBigInts: true }))
  }
  // `cross join` keeps the order of the tables: the index leads.
  const candidates = prepared(`
    select search_slot.rank, document.id, document.updated_at, document.public_id, document.name_folded,
      (select longest from search_displacement) as displacement
    from document_search
      cross join search_slot on search_slot.rank = document_search.rowid
      cross join document on document.id = search_slot.document_id
    where document_search match ? and document_search.rowid <= ?
    order by document_search.rowid desc
    limit ?`)
  const newest = prepared(`
    select rowid as rank from document_search where document_search match ? order by rowid desc limit ${NEWEST}`)
  return {
    candidates: (tokens, highest, limit) =>
      candidates().all(matchAll(tokens), highest, limit) as unknown as Candidate[],
    spanOfNewest(token) {
      const ranks = newest().all(matchAll([token])) as unknown as { rank: bigint }[]
      const first = ranks[0]
      if (!first) return undefined
      return ranks.length < NEWEST ? HIGHEST_RANK : first.rank - ranks.at(-1)!.rank
    },
  }
}
