import {
  type FolderId,
  type FoundDocument,
  SEARCH_LIMIT,
  type SearchResult,
  type Visibility,
} from '@meadow/contract'
import { sql } from 'kysely'
import {
  isLimited,
  prepareInScope,
  type ResourceScope,
  selectScopeFolders,
  teamOf,
} from '../../access/resource-scope.ts'
import {
  type DocumentSummaryRow,
  FOLDER_OF_ITEM_COLUMNS,
  type FolderOfItemRow,
  toFolderOfFound,
  toSummary,
} from '../../library/listing.ts'
import type { Database } from '../../platform/database/database.ts'
import { canBeInName, foldName } from '../../platform/database/names.ts'
import type { FolderKey, TeamKey, TokenKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { pathRange, readFolderPath } from '../../team/folders.ts'
import { searchByUse } from './search-by-use.ts'

/** A search as the caller sent it. */
export interface SearchRequest {
  /** The text; when it is undefined or empty, every document is found. */
  q?: string | undefined
  /** A folder id, or `root`. */
  folderId?: string | undefined
  /** The name or GUID of a component or a plug-in that the documents use. */
  uses?: string | undefined
}

/**
 * Finds documents by name (decisions 16 to 19), or by what they use. Resolves to undefined when there is no such folder in scope; for `root`,
 * when the team is not set up correctly.
 */
export type Search = (
  resourceScope: ResourceScope,
  request: SearchRequest,
) => Promise<SearchResult | undefined>

const NO_RESULTS: SearchResult = { documents: [], truncated: false }

export function createSearch(database: Database): Search {
  const findScopes = createFindScopes(database)
  const readFound = database.searchIndex.prepareRead<FoundRow>(READ_FOUND)
  const findInFew = createFindInFew(database)
  return async (resourceScope, { q = '', folderId, uses }) => {
    const scopes = await findScopes(resourceScope, folderId)
    if (!scopes) return undefined
    const textFolded = foldName(q)
    const team = teamOf(resourceScope)
    if (uses !== undefined) return searchByUse(database, { team, scopes, uses, textFolded })
    if (!canBeInName(textFolded)) return NO_RESULTS
    const query = { team, textFolded, limit: SEARCH_LIMIT + 1 }
    const results: FoundRow[][] = []
    for (const scope of scopes) {
      const rows = await (scope.hasFew ? findInFew(scope, textFolded) : readFound({ ...query, ...scope }))
      // A document may have been moved out of scope since the index was read.
      results.push(isLimited(resourceScope) ? rows.filter((row) => isInFolders(row, scope)) : rows)
    }
    const isInOrder = results.length === 1 && !scopes[0]!.hasFew
    const rows = isInOrder ? results[0]! : mergeResults(results, textFolded)
    return {
      documents: rows.slice(0, SEARCH_LIMIT).map(toFound),
      truncated: rows.length > SEARCH_LIMIT,
    }
  }
}

/** The whole team, or the folder that a search is restricted to. */
export type Scope = { folders?: undefined; hasFew?: undefined } | FolderScope

interface FolderScope {
  /** The folders from the root to the one that is searched. */
  folders: FolderKey[]
  /** Whether it has few documents at any depth: they are looked at one by one. */
  hasFew: boolean
}

const isInFolders = ({ folderPath }: FoundRow, { folders }: Scope): boolean =>
  folders === undefined || readFolderPath(folderPath).includes(folders.at(-1)!)

/** A folder with more documents is searched by the index, whose lists are those of the whole team. */
export const FEW = 100

/**
 * Counts the documents of a folder at any depth, up to one more than a few, which takes no more than indexes. `folder`
 * has to be a table of the query, of rows of `folder`.
 */
const countUntilMany = (folder: string) => {
  const path = sql.ref(`${folder}.path`)
  return sql<number>`(select count(*) from (
    select 1 from folder as inside join document on document.folder_id = inside.id
    where inside.path >= ${path} and inside.path < substr(${path}, 1, length(${path}) - 1) || '0'
      and document.bin_id is null
    limit ${sql.lit(FEW + 1)}) as counted)`
}

/** Creates a search that compares all names of a folder with few documents. */
function createFindInFew(database: Database) {
  const read = database.prepare((read, { start, end }: ReturnType<typeof pathRange>) =>
    read
      .selectFrom('folder')
      .innerJoin('document', 'document.folder_id', 'folder.id')
      .where('folder.path', '>=', start)
      .where('folder.path', '<', end)
      .where('document.bin_id', 'is', null)
      .select(['document.public_id as id', 'document.name', 'document.name_folded as nameFolded'])
      .select(['document.visibility', 'document.created_at', 'document.updated_at'])
      .select([...FOLDER_OF_ITEM_COLUMNS, 'folder.path as folderPath']),
  )
  return async ({ folders }: FolderScope, textFolded: string): Promise<FoundRow[]> => {
    const rows = await read.all(pathRange(`${folders.join('/')}/`))
    return rows.filter(({ nameFolded }) => nameFolded.includes(textFolded))
  }
}

/** Sorts results as in decision 18: names that start with the text, then the others; the newest first; by id. */
function mergeResults(results: FoundRow[][], textFolded: string): FoundRow[] {
  const byId = new Map(results.flat().map((row) => [row.id, row]))
  const isOther = ({ nameFolded }: FoundRow) => !nameFolded.startsWith(textFolded)
  return [...byId.values()].sort(
    (a, b) =>
      Number(isOther(a)) - Number(isOther(b)) || b.updated_at - a.updated_at || (a.id < b.id ? -1 : 1),
  )
}

/** The folders to search, which have nothing in common. A limited token sees its folders in the root, and in no folder. */
function createFindScopes(database: Database) {
  const readFolder = prepareInScope(
    database,
    (read, { team, id }: { team: TeamKey; id: FolderId }, isInScope) =>
      read
        .selectFrom('folder')
        .where('public_id', '=', id)
        .where('team_id', '=', team)
        .where('bin_id', 'is', null)
        .where(({ eb, or }) => or([eb('parent_id', 'is', null), isInScope('folder.id')]))
        .select(['path', countUntilMany('folder').as('count')]),
  )
  const readRoot = database.prepare((read, { team }: { team: TeamKey }) =>
    read
      .selectFrom('folder')
      .where('team_id', '=', team)
      .where('parent_id', 'is', null)
      .select(['path', sql<number>`0`.as('count')]),
  )
  const readScopeFolders = database.prepare(
    (_, { token }: { token: TokenKey }) =>
      sql<ScopeRow>`select path, ${countUntilMany('listed')} as count from (${selectScopeFolders(token)}) as listed`,
  )
  const findFolder = async (resourceScope: ResourceScope, id: string) => {
    if (id === 'root') return readRoot.first({ team: teamOf(resourceScope) })
    return isPublicId('fld', id) ? readFolder.first(resourceScope, { id }) : undefined
  }
  return async (resourceScope: ResourceScope, id: string | undefined): Promise<Scope[] | undefined> => {
    const folder = id === undefined ? undefined : await findFolder(resourceScope, id)
    if (id !== undefined && !folder) return undefined
    if (folder && !isRoot(folder)) return [toScope(folder)]
    return isLimited(resourceScope) ? (await readScopeFolders.all(resourceScope)).map(toScope) : [{}]
  }
}

interface ScopeRow {
  path: string
  /** What {@link countUntilMany} has counted. */
  count: number
}

const isRoot = ({ path }: ScopeRow): boolean => readFolderPath(path).length === 1

/** Every document is below the root. */
const toScope = (folder: ScopeRow): Scope =>
  isRoot(folder) ? {} : { folders: readFolderPath(folder.path), hasFew: folder.count <= FEW }

interface FoundRow extends DocumentSummaryRow<Visibility>, FolderOfItemRow {
  nameFolded: string
  folderPath: string
}

const READ_FOUND = `
  select document.public_id as id, document.name, document.name_folded as "nameFolded", document.visibility, document.created_at, document.updated_at,
    folder.public_id as "folderId", folder.name as "folderName", folder.path as "folderPath", folder.parent_id as "folderParent"
  from found join document on document.id = found.id join folder on folder.id = document.folder_id
  order by found.position`

const toFound = (row: FoundRow): FoundDocument => ({
  ...toSummary(row),
  ...toFolderOfFound(row),
})
