import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SearchIndex } from './search-index.ts'
import { HIGHEST_RANK, rankOf } from './search-rank.ts'
import { tokensOfQuery } from './search-tokens.ts'
import { chooseTokens } from './sqlite-search-choice.ts'
import { type Candidate, createSqliteSearchReads, type SqliteSearchReads } from './sqlite-search-reads.ts'
import type { DocumentKey } from './tables.ts'

/** Where tokens let through more than names hold, other requests get their turn after so many candidates. */
const CANDIDATES_OF_A_TURN = 1_000

/** `SearchIndex.find` on SQLite. */
export function createSqliteSearch(reader: DatabaseSync): SearchIndex['find'] {
  const reads = createSqliteSearchReads(reader)
  return async (query) => {
    const { textFolded, limit } = query
    const tokens = tokensOfQuery(query)
    const asked = chooseTokens(reads, tokens)
    if (!asked) return []

    const starts = (name: string) => name.startsWith(textFolded)
    const first = await findInOrder(reads, [...tokens.start, ...asked], starts, limit)
    if (first.length === limit || textFolded === '') return first
    const contains = (name: string) => name.includes(textFolded) && !starts(name)
    return [...first, ...(await findInOrder(reads, asked, contains, limit - first.length))]
  }
}

/** The first `limit` documents that have all of the tokens and whose name matches. */
async function findInOrder(
  reads: SqliteSearchReads,
  tokens: string[],
  matches: (nameFolded: string) => boolean,
  limit: number,
): Promise<DocumentKey[]> {
  const found: Candidate[] = []
  let highest = HIGHEST_RANK
  // A few more than asked for, since the last of them may be out of order.
  for (let count = limit + 4; ; count = Math.min(4 * count, CANDIDATES_OF_A_TURN)) {
    const candidates = reads.candidates(tokens, highest, count)
    for (const candidate of candidates) {
      if (matches(candidate.name_folded)) found.push(candidate)
      if (found.length >= limit && isComplete(found, limit, candidate)) return best(found, limit)
    }
    const last = candidates.at(-1)
    if (!last || candidates.length < count) return best(found, limit)
    highest = last.rank - 1n
    await nextTurn()
  }
}

/** Whether nothing that comes after `last` can stand before the one that is now the last of `limit`. */
function isComplete(found: Candidate[], limit: number, last: Candidate): boolean {
  const lowest = found.sort(inOrder)[limit - 1] as Candidate
  return last.rank - 1n + last.displacement < rankOf(lowest.updated_at, lowest.public_id)
}

const best = (found: Candidate[], limit: number) =>
  found
    .sort(inOrder)
    .slice(0, limit)
    .map(({ id }) => Number(id) as DocumentKey)

function inOrder(a: Candidate, b: Candidate): number {
  if (a.updated_at !== b.updated_at) return a.updated_at > b.updated_at ? -1 : 1
  return a.public_id < b.public_id ? -1 : 1
}
