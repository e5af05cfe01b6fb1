import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTick } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { PUBLIC_ID_ORDER_BITS, publicIdOrder } from '../../public-ids.ts'
import type { Write } from '../database.ts'
import {
  type IndexChange,
  type IndexedDocument,
  LONGEST_GRAM,
  type QueryTokens,
  type SearchIndex,
  tokensOf,
  tokensOfQuery,
} from '../search-index.ts'
import type { DocumentKey } from '../tables.ts'

/**
 * The index is a contentless FTS5 table whose rowid is the document's rank. FTS5 walks its lists in the order of rowids,
 * so a search gets documents newest first, one by one, and reads no more than it needs. `search_slot` maps ranks to
 * documents. When a rank is taken, a document gets the next free one below; `search_displacement` has the longest such
 * displacement, so that a search knows how far it has to read on.
 */
export function createSqliteSearchIndex(reader: DatabaseSync): SearchIndex {
  return { apply: writeSearchIndex, find: createSqliteSearch(reader) }
}

function createSqliteSearch(reader: DatabaseSync): SearchIndex['find'] {
  const reads = createSqliteSearchReads(reader)
  return async (query) => {
    const { textFolded, limit } = query
    const tokens = tokensOfQuery(query)
    const chosen = chooseTokens(reads, tokens)
    if (!chosen) return []

    const starts = (name: string) => name.startsWith(textFolded)
    const first = await findInOrder(reads, [...tokens.start, ...chosen], starts, limit)
    if (first.length === limit || textFolded === '') return first
    const contains = (name: string) => name.includes(textFolded) && !starts(name)
    return [...first, ...(await findInOrder(reads, chosen, contains, limit - first.length))]
  }
}

/** After so many candidates, a search lets other requests run. */
const MAX_CANDIDATES_AT_ONCE = 1_000

/** The first `limit` documents that have all of the tokens and whose name matches. */
async function findInOrder(
  reads: SqliteSearchReads,
  tokens: string[],
  matches: (nameFolded: string) => boolean,
  limit: number,
): Promise<DocumentKey[]> {
  const found: Candidate[] = []
  let highest = HIGHEST_RANK
  // A few more than requested, since the last of them may be out of order.
  for (let count = limit + 4; ; count = Math.min(4 * count, MAX_CANDIDATES_AT_ONCE)) {
    const candidates = reads.candidates(tokens, highest, count)
    for (const candidate of candidates) {
      if (matches(candidate.name_folded)) found.push(candidate)
      if (found.length >= limit && isComplete(found, limit, candidate)) return best(found, limit)
    }
    const last = candidates.at(-1)
    if (!last || candidates.length < count) return best(found, limit)
    highest = last.rank - 1n
    await nextTick()
  }
}

/** Whether no candidate after `last` can come before the last of the `limit` documents found. */
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

/** When one list is so much shorter, it is cheaper to check each of its documents than to search the longer one. */
const MUCH_RARER = 256n

/**
 * Chooses the tokens of a query to search for. Walking several lists costs as much as the shortest one, times their
 * number; other tokens are checked by comparing names, which costs about as much as a step in a second list.
 * Undefined when one of the tokens has no documents, so that there are no results.
 */
function chooseTokens(reads: SqliteSearchReads, { grams, folder, team }: QueryTokens): string[] | undefined {
  if (folder === undefined && grams.length <= 1) return grams.length > 0 ? grams : [team]
  const sampled = sample(reads, folder === undefined ? grams : [folder, ...grams])
  if (!sampled) return undefined
  const inFolder = folder === undefined ? undefined : sampled.shift()
  const [rarest, ...others] = sampled.sort((a, b) => Number(b.span > a.span) - Number(b.span < a.span))
  if (!rarest) return [folder ?? team]
  if (inFolder)
    return inFolder.span > MUCH_RARER * rarest.span ? [inFolder.token] : [rarest.token, inFolder.token]
  // Overlapping grams mostly have the same documents.
  const apart = others.find(({ at }) => Math.abs(at - rarest.at) >= LONGEST_GRAM)
  return apart ? [rarest.token, apart.token] : [rarest.token]
}

interface SampledToken {
  token: string
  /** Its index in the tokens. */
  at: number
  /** The wider the ranks of its newest documents are apart, the fewer documents it has. */
  span: bigint
}

/** Undefined when one of the tokens has no documents. */
function sample(reads: SqliteSearchReads, tokens: string[]): SampledToken[] | undefined {
  const sampled: SampledToken[] = []
  for (const [at, token] of tokens.entries()) {
    const span = reads.spanOfNewest(token)
    if (span === undefined) return undefined
    sampled.push({ token, at, span })
  }
  return sampled
}

/** A document that has all the tokens. */
export interface Candidate {
  rank: bigint
  id: bigint
  updated_at: bigint
  public_id: string
  name_folded: string
  /** How far below its own rank a document can be at most. */
  displacement: bigint
}

/** The queries of a search. Ranks have more than 53 bits. */
export interface SqliteSearchReads {
  /** The newest documents that have all of the tokens, from the rank `highest` downwards. */
  candidates(tokens: string[], highest: bigint, limit: number): Candidate[]
  /** The distance between the ranks of the newest few documents with this token; undefined when there are none. */
  spanOfNewest(token: string): bigint | undefined
}

const NEWEST = 8

function createSqliteSearchReads(reader: DatabaseSync): SqliteSearchReads {
  const prepared = (sql: string) => {
    let statement: ReturnType<DatabaseSync['prepare']> | undefined
    // Prepared when first used, since migrations create the tables.
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

const TIES = 1n << BigInt(PUBLIC_ID_ORDER_BITS)

/** The largest integer of SQLite. */
const HIGHEST_RANK = 2n ** 63n - 1n

/**
 * The rank of a document: newer documents have higher ranks, and in the same millisecond those with smaller ids, as far
 * as the first characters of the id determine.
 */
function rankOf(updatedAt: number | bigint, publicId: string): bigint {
  return BigInt(updatedAt) * TIES + (TIES - 1n - BigInt(publicIdOrder(publicId)))
}

/** `SearchIndex.apply` */
export async function writeSearchIndex(write: Write, { remove, add }: IndexChange): Promise<void> {
  for (const { document, rank } of byRank(remove)) await removeDocument(write, document, rank)
  for (const { document, rank } of byRank(add)) await addDocument(write, document, rank)
}

interface RankedDocument {
  document: IndexedDocument
  rank: bigint
}

/** FTS5 starts a new segment whenever rowids do not ascend; in this order one is enough. */
function byRank(documents: readonly IndexedDocument[]): RankedDocument[] {
  return documents
    .map((document) => ({ document, rank: rankOf(document.updatedAt, document.publicId) }))
    .sort((a, b) => Number(a.rank > b.rank) - Number(a.rank < b.rank))
}

async function addDocument(write: Write, document: IndexedDocument, rank: bigint): Promise<void> {
  let slot = rank
  while (!(await takeSlot(write, slot, document.id))) slot -= 1n
  if (slot < rank) {
    await run(write, 'update search_displacement set longest = max(longest, ?)', [rank - slot])
  }
  await run(write, 'insert into document_search (rowid, tokens) values (?, ?)', [slot, tokenText(document)])
}

async function takeSlot(write: Write, slot: bigint, document: DocumentKey): Promise<boolean> {
  const { numAffectedRows } = await run(
    write,
    'insert into search_slot (rank, document_id) values (?, ?) on conflict do nothing',
    [slot, document],
  )
  return numAffectedRows === 1n
}

async function removeDocument(write: Write, document: IndexedDocument, rank: bigint): Promise<void> {
  const { rows } = await run<{ displacement: number }>(
    write,
    `select ?1 - rank as displacement from search_slot
      where rank between ?1 - (select longest from search_displacement) and ?1 and document_id = ?2`,
    [rank, document.id],
  )
  const [found] = rows
  if (!found) throw new Error(`The search index does not hold the document ${document.publicId}.`)
  const slot = rank - BigInt(found.displacement)
  await run(write, 'delete from search_slot where rank = ?', [slot])
  // To delete from a contentless table, the indexed text is needed.
  await run(write, `insert into document_search (document_search, rowid, tokens) values ('delete', ?, ?)`, [
    slot,
    tokenText(document),
  ])
}

function run<Row>(write: Write, sql: string, parameters: unknown[]) {
  return write.executeQuery<Row>(CompiledQuery.raw(sql, parameters) as CompiledQuery<Row>)
}

/**
 * The tokenizer of `document_search`, which splits only at spaces and control characters. It turns A to Z into lower case,
 * which folded names do not contain, so no two tokens become the same.
 */
export const TOKENIZER = `ascii tokenchars '!"#$%&()*+,-./:;<=>?@[\\]^_\`{|}~'''`

const spaces = /[\0-\x20\x7f]/g

/** A token with its spaces replaced by private-use characters; results are compared by name anyway. */
const asOneWord = (token: string) =>
  token.replace(spaces, (space) => String.fromCharCode(0xe000 + space.charCodeAt(0)))

/** A document's tokens as the text that is indexed. */
function tokenText(document: IndexedDocument): string {
  return [...tokensOf(document)].map(asOneWord).join(' ')
}

/** The FTS5 query for documents that have all of `tokens`. */
function matchAll(tokens: readonly string[]): string {
  return tokens.map((token) => `"${asOneWord(token).replaceAll('"', '""')}"`).join(' AND ')
}
