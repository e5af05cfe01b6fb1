import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTick } from 'node:timers/promises'
import type { IndexQuery, SearchIndex } from '../search-index.ts'
import type { DocumentKey } from '../tables.ts'
import { prepareRows } from './sqlite-dialect.ts'
import { matchAll, type QueryTokens, tokensOfQuery } from './sqlite-search-tokens.ts'
import { rebuildSearchIndex, writeSearchIndex } from './sqlite-search-writes.ts'

/**
 * Creates the search index: a contentless FTS5 table whose rowid is the document's slot. The slots of a team are in the
 * order of decision 18, and FTS5 walks its lists in that order, so a search gets documents newest first, and reads no
 * more than it needs. `search_slot` has the document and the name of each slot: names are compared where they lie
 * together.
 */
export function createSqliteSearchIndex(reader: DatabaseSync): SearchIndex {
  const reads = createReads(reader)
  async function find(query: IndexQuery): Promise<DocumentKey[]> {
    const tokens = tokensOfQuery(query)
    return tokens.isExact ? findByTokens(reads, tokens, query.limit) : findByName(reads, tokens, query)
  }
  return {
    apply: writeSearchIndex,
    rebuild: rebuildSearchIndex,
    find,
    prepareRead<Row>(select: string) {
      const found = 'with found (position, id) as (select key, value from json_each(?))'
      const rows = prepareRows<Row>(reader, `${found} ${select}`)
      return async (query: IndexQuery) => rows.all([JSON.stringify(await find(query))])
    },
  }
}

function findByTokens(reads: SearchReads, tokens: QueryTokens, limit: number): DocumentKey[] {
  const starting = tokens.start.length > 0 ? reads.newest(tokens.start, limit) : []
  if (starting.length === limit) return starting
  const before = new Set(starting)
  const others = reads.newest(tokens.anywhere, limit).filter((document) => !before.has(document))
  return [...starting, ...others].slice(0, limit)
}

/** How many candidates are compared first. Few texts have more, so both groups are usually found at once. */
const FIRST_CANDIDATES = 100
/** After this number of candidates, a search lets other requests run. */
const MAX_CANDIDATES_AT_ONCE = 4096

/**
 * Finds documents page by page, with pauses. A document that changes during a pause may leave a page that was not read
 * yet for one that was, and would be missing from the result. So after a commit during a pause, everything is read
 * again without pauses.
 */
async function findByName(
  reads: SearchReads,
  tokens: QueryTokens,
  query: IndexQuery,
): Promise<DocumentKey[]> {
  const version = reads.version()
  const found = await findInPages(reads, tokens, query, nextTick)
  return reads.version() === version ? found : findInPages(reads, tokens, query, async () => {})
}

async function findInPages(
  reads: SearchReads,
  tokens: QueryTokens,
  { textFolded, limit }: IndexQuery,
  pause: () => Promise<void>,
): Promise<DocumentKey[]> {
  const compare = (tokens: string[], highest: bigint, count: number) =>
    reads.compare(tokens, textFolded, highest, count)
  /** Continues after the first candidates until enough documents of the group are found. */
  const readOn = async (tokens: string[], first: Compared, group: Group, wanted: number) => {
    const found = [...first[group]]
    let last = first
    for (let count = 4 * FIRST_CANDIDATES; found.length < wanted && !last.isAll; count *= 4) {
      await pause()
      last = compare(tokens, last.lowest - 1n, Math.min(count, MAX_CANDIDATES_AT_ONCE))
      found.push(...last[group])
    }
    return found.slice(0, wanted)
  }
  const first = compare(tokens.anywhere, HIGHEST_SLOT, FIRST_CANDIDATES)
  const firstAtStart = first.isAll ? first : compare(tokens.start, HIGHEST_SLOT, FIRST_CANDIDATES)
  const starting = await readOn(tokens.start, firstAtStart, 'starting', limit)
  return [...starting, ...(await readOn(tokens.anywhere, first, 'containing', limit - starting.length))]
}

type Group = 'starting' | 'containing'

/** The queries of a search. All of them give the newest documents first. */
interface SearchReads {
  /** Returns a number that changes with every commit. */
  version(): number
  /** Returns the newest documents that have all of the tokens. */
  newest(tokens: readonly string[], limit: number): DocumentKey[]
  /**
   * Compares the names of the newest `count` documents that have all of the tokens, from the slot `highest` downwards.
   */
  compare(tokens: readonly string[], textFolded: string, highest: bigint, count: number): Compared
}

interface Compared {
  /** The documents whose names start with the text. */
  starting: DocumentKey[]
  /** The documents whose names contain the text further on. */
  containing: DocumentKey[]
  /** The slot of the last document that was compared. */
  lowest: bigint
  /** Whether no further document has the tokens. */
  isAll: boolean
}

/** The largest integer of SQLite. */
const HIGHEST_SLOT = 2n ** 63n - 1n

function createReads(reader: DatabaseSync): SearchReads {
  const prepared = <Row>(sql: string) => prepareRows<Row>(reader, sql)
  // `cross join` keeps the order of the tables: the index leads.
  const newest = prepared<{ id: DocumentKey }>(`
    select search_slot.document_id as id
    from document_search cross join search_slot on search_slot.slot = document_search.rowid
    where document_search match ?
    order by document_search.rowid desc
    limit ?`)
  const compare = prepared<ComparedRow>(`
    select count(*) as count, cast(min(slot) as text) as lowest,
      json_group_array(document_id order by slot desc) filter (where at = 1) as starting,
      json_group_array(document_id order by slot desc) filter (where at > 1) as containing
    from (
      select document_search.rowid as slot, document_id, instr(name_folded, ?) as at
      from document_search cross join search_slot on search_slot.slot = document_search.rowid
      where document_search match ? and document_search.rowid <= ?
      order by document_search.rowid desc
      limit ?)`)
  const version = prepared<{ data_version: number }>('pragma data_version')
  return {
    version: () => version.first([])!.data_version,
    newest: (tokens, limit) => newest.all([matchAll(tokens), limit]).map(({ id }) => id),
    compare(tokens, textFolded, highest, count) {
      const row = compare.first([textFolded, matchAll(tokens), highest, count])!
      return {
        starting: JSON.parse(row.starting),
        containing: JSON.parse(row.containing),
        lowest: BigInt(row.lowest ?? 0),
        isAll: row.count < count,
      }
    },
  }
}

interface ComparedRow {
  count: number
  /** The slot as text, since slots have more than 53 bits. */
  lowest: string | null
  /** The keys of the documents as JSON arrays. */
  starting: string
  containing: string
}
