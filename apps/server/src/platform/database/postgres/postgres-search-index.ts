import { sql } from 'kysely'
import type { Write } from '../database.ts'
import {
  type IndexedDocument,
  type IndexQuery,
  type SearchIndex,
  tokensOf,
  tokensOfQuery,
} from '../search-index.ts'
import type { DocumentKey } from '../tables.ts'
import { nameStatement, type PostgresPool } from './postgres-pool.ts'

/**
 * The index is a table of each document's tokens, as numbers, with a GIN index on them. GIN has no order, so texts that
 * match very many names are searched the other way round: among a limited number of the newest documents.
 */
export function createPostgresSearchIndex(pool: Pick<PostgresPool, 'query'>): SearchIndex {
  return {
    async apply(write, { remove, add }) {
      if (remove.length > 0) await removeDocuments(write, remove)
      if (add.length > 0) await addDocuments(write, add)
    },
    async find(query) {
      const { limit, textFolded } = query
      const newest = await findAmongNewest(pool, query)
      const { start, grams, folder = [] } = tokensOfQuery(query)
      const anywhere = grams.concat(folder)
      const tokens = { prefix: start.concat(anywhere), anywhere }
      const complete = async (found: Found[], wanted: number, group: Group) =>
        found.length >= wanted || newest.isWholeTeam
          ? found.slice(0, wanted)
          : findByTokens(pool, query, tokens[group], group, wanted)

      const first = await complete(
        newest.found.filter(({ at }) => at === 1),
        limit,
        'prefix',
      )
      if (first.length === limit || textFolded === '') return first.map(({ id }) => id)
      const others = newest.found.filter(({ at }) => at > 1)
      return [...first, ...(await complete(others, limit - first.length, 'anywhere'))].map(({ id }) => id)
    },
  }
}

/** `prefix`: names that start with the text. `anywhere`: names that contain it later. */
type Group = 'prefix' | 'anywhere'

interface Found {
  id: DocumentKey
  /** The position of the text in the name, from 1. */
  at: number
}

const DOCUMENTS_PER_STATEMENT = 500

async function addDocuments(write: Write, documents: readonly IndexedDocument[]): Promise<void> {
  for (let start = 0; start < documents.length; start += DOCUMENTS_PER_STATEMENT) {
    const rows = documents
      .slice(start, start + DOCUMENTS_PER_STATEMENT)
      .map((document) => sql`(${document.id}::int, ${[...tokensOf(document)].map(asNumber)}::int[])`)
    await sql`insert into document_search (document_id, tokens) values ${sql.join(rows)}`.execute(write)
  }
}

async function removeDocuments(write: Write, documents: readonly IndexedDocument[]): Promise<void> {
  const ids = documents.map(({ id }) => id)
  await sql`delete from document_search where document_id = any(${ids}::int[])`.execute(write)
}

/** FNV-1a. Two tokens may have the same number; results are compared by name and folder. */
function asNumber(token: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < token.length; index++) {
    hash = Math.imul(hash ^ token.charCodeAt(index), 0x01000193)
  }
  return hash | 0
}

const NEWEST = 2_000

/** $3 is a folder or null. */
const IS_IN_FOLDER = `($3::int is null or exists (
  select 1 from folder where folder.id = document.folder_id and strpos('/' || folder.path, '/' || $3 || '/') > 0))`

const FIND_AMONG_NEWEST = `
  with newest as materialized (
    select id, folder_id, updated_at, public_id, strpos(name_folded, $2) as at from document
    where team_id = $1 and bin_id is null order by updated_at desc, public_id limit ${NEWEST})
  select null::int as id, count(*)::int as at from newest
  union all (
    select id, at from newest as document
    where at > 0 and ${IS_IN_FOLDER}
    order by updated_at desc, public_id)`

const FIND_AMONG_NEWEST_NAME = nameStatement(FIND_AMONG_NEWEST)

/** Compares the newest documents one by one. */
async function findAmongNewest(pool: Pick<PostgresPool, 'query'>, { team, textFolded, folder }: IndexQuery) {
  const { rows } = await pool.query({
    name: FIND_AMONG_NEWEST_NAME,
    text: FIND_AMONG_NEWEST,
    values: [team, textFolded, folder ?? null],
  })
  const [{ at: looked }, ...found] = rows
  return { found: found as Found[], isWholeTeam: looked < NEWEST }
}

/** Not a named statement, since the best plan depends on the tokens. */
async function findByTokens(
  pool: Pick<PostgresPool, 'query'>,
  { textFolded, folder }: IndexQuery,
  tokens: string[],
  group: Group,
  limit: number,
): Promise<Found[]> {
  const { rows } = await pool.query({
    text: `
    with hit as materialized (select document_id from document_search where tokens @> $1::int[])
    select id, strpos(name_folded, $2) as at
    from hit join document on document.id = hit.document_id
    where strpos(name_folded, $2) ${group === 'prefix' ? '= 1' : '> 1'} and ${IS_IN_FOLDER}
    order by updated_at desc, public_id
    limit $4`,
    values: [tokens.map(asNumber), textFolded, folder ?? null, limit],
  })
  return rows
}
