import { SEARCH_LIMIT, type SearchResult, type UsedComponent } from '@meadow/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readIndexState } from '../../library/index-state.ts'
import { FOLDER_OF_ITEM_COLUMNS, toFolderOfFound, toSummary } from '../../library/listing.ts'
import type { Database } from '../../platform/database/database.ts'
import { canBeInName, escapeLike, foldName } from '../../platform/database/names.ts'
import type { TeamKey, UsedThingKey } from '../../platform/database/tables.ts'
import { pathRange } from '../../team/folders.ts'
import type { Scope } from './search.store.ts'

/** A search for the documents that use something. */
export interface UseQuery {
  team: TeamKey
  /** Where to search: in any of these. */
  scopes: readonly Scope[]
  /** The name or GUID of a component or a plug-in. */
  uses: string
  /** A part of the documents' names, folded. */
  textFolded: string
}

/** Finds documents by what they use, in the order of a search by name (decision 18), from the index of uses. */
export async function searchByUse(
  { read }: Pick<Database, 'read'>,
  { team, scopes, uses, textFolded }: UseQuery,
): Promise<SearchResult> {
  const isWanted = sql<SqlBool>`(document.team_id = ${team} and ${isIn(scopes)})`
  // This is read first: a document that is indexed meanwhile may be missing from what follows.
  const index = await readIndexState(read, isWanted)
  const documents = read.selectFrom('document').where(isWanted).where('document.bin_id', 'is', null)

  const named = await listNamed(read, team, uses)
  const using = await documents
    .innerJoin('document_use', 'document_use.document_id', 'document.id')
    .where('document_use.thing_id', 'in', [NO_THING, ...named.keys()])
    .select('document_use.thing_id as id')
    .distinct()
    .execute()
  const used = using.map(({ id }) => id)
  const rows = await documents
    .innerJoin('folder', 'folder.id', 'document.folder_id')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('document_use')
          .whereRef('document_use.document_id', '=', 'document.id')
          .where('document_use.thing_id', 'in', [NO_THING, ...used])
          .select('document_use.thing_id'),
      ),
    )
    .where(contains('document.name_folded', textFolded))
    .select([
      'document.public_id as id',
      'document.name',
      'document.visibility',
      'document.created_at',
      'document.updated_at',
      ...FOLDER_OF_ITEM_COLUMNS,
    ])
    .orderBy(sql`case when ${startsWith('document.name_folded', textFolded)} then 0 else 1 end`)
    .orderBy('document.updated_at', 'desc')
    .orderBy('document.public_id')
    .limit(SEARCH_LIMIT + 1)
    .execute()
  return {
    documents: rows.slice(0, SEARCH_LIMIT).map((row) => ({ ...toSummary(row), ...toFolderOfFound(row) })),
    truncated: rows.length > SEARCH_LIMIT,
    uses: used.map((id) => named.get(id)!).sort(byName),
    index,
  }
}

/** No thing has this key, so that a list of keys is never empty. */
const NO_THING = 0 as UsedThingKey

/** Lists the components and plug-ins of a team that a text names, by key. */
async function listNamed(
  read: Database['read'],
  team: TeamKey,
  text: string,
): Promise<ReadonlyMap<UsedThingKey, UsedComponent>> {
  const id = text.trim().toLowerCase()
  const name = foldName(text.trim())
  if (name === '' || !canBeInName(name)) return new Map()
  const rows = await read
    .selectFrom('used_thing')
    .where('team_id', '=', team)
    .where('version', '=', '')
    .where('kind', 'in', ['component', 'plugin'])
    .where(({ eb, or, and }) =>
      or([
        eb('key', '=', id),
        startsWith('words_folded', `${name}\n`),
        and([eb('kind', '=', 'plugin'), startsWith('words_folded', name)]),
      ]),
    )
    .select(['id as key', 'kind', 'key as id', 'name'])
    .execute()
  return new Map(
    rows
      .filter((row) => row.id === id || isNamed(row, name))
      .map(({ key, kind, id, name }) => [key, { kind: kind as UsedComponent['kind'], id, name }]),
  )
}

/** Whether the folded name is this one. A plug-in's may go on with anything but a letter. */
function isNamed(thing: { kind: string; name: string }, wanted: string): boolean {
  const name = foldName(thing.name)
  if (thing.kind === 'component') return name === wanted
  return name.startsWith(wanted) && !/^\p{L}/u.test(name.slice(wanted.length))
}

const byName = (a: UsedComponent, b: UsedComponent): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1

function isIn(scopes: readonly Scope[]): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [sql`false`]
  for (const { folders } of scopes) {
    if (!folders) return sql`true`
    const { start, end } = pathRange(`${folders.join('/')}/`)
    conditions.push(sql`(path >= ${start} and path < ${end})`)
  }
  return sql`document.folder_id in (select id from folder where ${sql.join(conditions, sql` or `)})`
}

const startsWith = (column: string, text: string) => isLike(column, text, (escaped) => `${escaped}%`)
const contains = (column: string, text: string) => isLike(column, text, (escaped) => `%${escaped}%`)

const isLike = (column: string, text: string, pattern: (escaped: string) => string): RawBuilder<SqlBool> =>
  canBeInName(text) ? sql`${sql.ref(column)} like ${pattern(escapeLike(text))} escape '\\'` : sql`false`
