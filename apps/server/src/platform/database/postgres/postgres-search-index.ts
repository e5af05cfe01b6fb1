import { type IndexQuery, type SearchIndex, tokensOfQuery } from '../search-index.ts'
import type { DocumentKey } from '../tables.ts'
import { nameStatement, type PostgresPool } from './postgres-pool.ts'
import { asNumber, rebuildPostgresIndex, writePostgresIndex } from './postgres-search-writes.ts'

/**
 * Creates the search index: a table of each document's tokens, as numbers, with a GIN index on them. GIN has no order,
 * so texts that match very many names are searched the other way round: from the newest document on, until enough are
 * found. See decision 0060.
 */
export function createPostgresSearchIndex(
  pool: Pick<PostgresPool, 'query'>,
  portions: Portions = PORTIONS,
): SearchIndex {
  let isCleaning = false

  /**
   * Merges what was written into the index soon: every search reads what is not merged yet, and writes and autovacuum
   * merge it late.
   */
  function cleanSoon(): void {
    if (isCleaning) return
    isCleaning = true
    setTimeout(() => {
      isCleaning = false
      // When this user lacks the right to merge it, or the database is away, it is merged later.
      pool.query({ text: "select gin_clean_pending_list('document_search_tokens')" }).catch(() => {})
    }, CLEAN_AFTER_MS).unref()
  }

  function prepareRead<Row>(select: string) {
    const text = findStatement(portions, select)
    const name = nameStatement(text)
    return async (query: IndexQuery): Promise<Row[]> =>
      (await pool.query({ name, text, values: valuesOf(query) })).rows
  }

  const findKeys = prepareRead<{ id: DocumentKey }>('select id from found order by position')

  return {
    async apply(write, change) {
      const added = await writePostgresIndex(write, change)
      if (added > 0) cleanSoon()
    },
    find: async (query) => (await findKeys(query)).map(({ id }) => id),
    prepareRead,
    rebuild: rebuildPostgresIndex,
  }
}

/** Returns the values for the parameters of the statement. */
function valuesOf(query: IndexQuery): unknown[] {
  const { team, textFolded, folders, limit } = query
  const tokens = tokensOfQuery(query)
  const scope = tokens.folder ?? (tokens.grams.length === 0 ? tokens.team : [])
  const anywhere = tokens.grams.concat(scope).map(asNumber)
  const starting = tokens.start.map(asNumber).concat(anywhere)
  return [team, textFolded, folders?.at(-1) ?? null, limit, starting, anywhere]
}

/** How long after a write it is merged into the index. */
const CLEAN_AFTER_MS = 1000

interface Portions {
  /** How many of the newest documents are used to find out how frequent a text is. */
  sample: number
  /**
   * How many of the newest documents are looked at one by one for a frequent text, which has two matches in the sample.
   */
  newest: number
}

const PORTIONS: Portions = { sample: 500, newest: 8_000 }

/** The condition that a document is in the folder $3, if that is not null. */
const IS_IN_FOLDER = `($3::int is null or exists (
  select from folder where folder.id = document.folder_id and strpos('/' || folder.path, '/' || $3 || '/') > 0))`

const newest = (columns: string, limit: number) => `(
  select ${columns} from document
  where team_id = $1 and bin_id is null order by updated_at desc, public_id limit ${limit}) document`

const fromNewest = (limit: number, matches: string) => `
  select id, updated_at, public_id
  from ${newest('id, folder_id, name_folded, updated_at, public_id', limit)}
  where ${matches} and ${IS_IN_FOLDER}`

/**
 * Finds documents by tokens, through an array: the planner expects few elements of it, and looks up each document by
 * its key.
 */
const fromTokens = (tokens: string, condition: string, matches: string) => `
  select document.id, updated_at, public_id
  from unnest(array(
    select document_id from document_search
    where ${condition} and tokens @> ${tokens}::int[])) as hit (id)
  cross join lateral (select * from document where id = hit.id offset 0) document
  where ${matches} and team_id = $1 and ${IS_IN_FOLDER}
  order by updated_at desc, public_id`

const STARTS = 'starts_with(name_folded, $2)'
const CONTAINS = 'strpos(name_folded, $2) > 1'

/**
 * Makes the statement that finds names that start with the text, then those that contain it later, each from the newest
 * document on: first those among the newest, and where these are not enough, all that have the text's tokens. What is
 * not needed is not executed. $1 team, $2 folded text, $3 folder, $4 limit, $5 and $6 tokens of the two groups.
 */
const findStatement = ({ sample, newest: looked }: Portions, select: string) => `
with sample as materialized (
  select count(*) as looked,
    count(*) filter (where at = 1 and ${IS_IN_FOLDER}) as starting,
    count(*) filter (where at > 1 and ${IS_IN_FOLDER}) as containing
  from ${newest('strpos(name_folded, $2) as at, folder_id', sample)}
),
newest_first as materialized (${fromNewest(
  looked,
  `(select starting >= 2 or looked < ${sample} from sample) and ${STARTS}`,
)}
  limit $4
),
every_first as materialized (${fromTokens(
  '$5',
  `(select looked = ${sample} from sample) and (select count(*) < $4 from newest_first)`,
  STARTS,
)}
  limit $4
),
first as materialized (
  select * from every_first union all select * from newest_first where not exists (select from every_first)
),
wanted as materialized (
  select case when $2 = '' then 0 else $4 - count(*) end as number from first
),
newest_other as materialized (${fromNewest(
  looked,
  `(select number > 0 from wanted) and (select containing >= 2 or looked < ${sample} from sample) and ${CONTAINS}`,
)}
  limit (select number from wanted)
),
every_other as materialized (${fromTokens(
  '$6',
  `(select looked = ${sample} from sample)
      and (select count(*) < (select number from wanted) from newest_other)`,
  CONTAINS,
)}
  limit (select number from wanted)
),
found (id, position) as materialized (
  select * from unnest(array(
    select id from (
      select 1 as part, * from first
      union all select 2, * from every_other
      union all select 2, * from newest_other where not exists (select from every_other)) every
    order by part, updated_at desc, public_id)) with ordinality
)
${select}`
