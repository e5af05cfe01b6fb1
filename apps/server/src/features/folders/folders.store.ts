import {
  type ChildFolder,
  type DocumentSummary,
  type Folder,
  type FolderId,
  type FolderReference,
  MAX_NESTED_ITEMS,
  type Visibility,
} from '@meadow/contract'
import { type RawBuilder, sql } from 'kysely'
import {
  EVERYTHING,
  isInFoldersOf,
  isLimited,
  type LimitedScope,
  type ResourceScope,
  selectScopeFolders,
  teamOf,
} from '../../access/resource-scope.ts'
import { type DocumentSummaryRow, toSummary } from '../../library/listing.ts'
import type { Database, Dialect } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { isPublicId } from '../../platform/public-ids.ts'
import { sortByName } from '../../platform/sort-by-name.ts'

/** The queries of the API about folders. */
export interface FolderStore {
  /**
   * The response with the folder, its ancestors and its direct contents, sorted (decision 14), as JSON in UTF-8.
   * `id` is what the caller sent; `root` is the team's root folder. To a limited token the root has the token's folders in
   * it, and nothing else (decision record 0068).
   * Undefined when there is no such folder in scope (for `root`: when the team is not set up correctly).
   */
  find(resourceScope: ResourceScope, id: string): Promise<Uint8Array | undefined>
  /**
   * Finds the same folder with so many levels of what is in it. The levels are read one after the other, and only those
   * with which there are at most `maxItems` folders and documents, the first one excepted; `depth` is that of the result.
   */
  findNested(
    resourceScope: ResourceScope,
    id: string,
    depth: number,
    maxItems?: number,
  ): Promise<Folder | undefined>
}

export function createFolderStore(database: Database): FolderStore {
  const read = createReads(
    database,
    ({ team, id }) => sql`public_id = ${id} and team_id = ${team} and bin_id is null`,
  )
  const readRoot = createReads(database, ({ team }) => sql`parent_id is null and team_id = ${team}`)
  const find: FolderStore['find'] = async (resourceScope, id) => {
    if (id === 'root') return readRoot(resourceScope, { id: id as FolderId })
    return isPublicId('fld', id) ? read(resourceScope, { id }) : undefined
  }
  return {
    find,
    async findNested(resourceScope, id, depth, maxItems = MAX_NESTED_ITEMS) {
      const json = await find(resourceScope, id)
      if (!json) return undefined
      const { folder }: { folder: Folder } = JSON.parse(Buffer.from(json).toString())
      if (depth === 0) return { ...folder, folders: [], documents: [], depth }
      let items = folder.folders.length + folder.documents.length
      let level: ChildFolder[] = folder.folders
      for (let reached = 1; reached < depth; reached++) {
        const contents = await readContents(database, resourceScope, level, maxItems - items)
        if (!contents) return { ...folder, depth: reached }
        for (const child of level)
          Object.assign(child, contents.get(child.id) ?? { folders: [], documents: [] })
        level = [...contents.values()].flatMap(({ folders }) => folders)
        for (const { folders, documents } of contents.values()) items += folders.length + documents.length
      }
      return { ...folder, depth }
    },
  }
}

type FolderContents = Required<Pick<ChildFolder, 'folders' | 'documents'>>

/** Reads what is directly in those of some folders that are in scope; undefined when that is more than `maxItems`. */
async function readContents(
  { read }: Database,
  resourceScope: ResourceScope,
  homes: readonly FolderReference[],
  maxItems: number,
): Promise<Map<FolderId, FolderContents> | undefined> {
  const contents = new Map<FolderId, FolderContents>()
  const contentsOf = (home: FolderId) => {
    const known = contents.get(home) ?? { folders: [], documents: [] }
    contents.set(home, known)
    return known
  }
  const isInScope = isLimited(resourceScope)
    ? isInFoldersOf(resourceScope.token, 'home.id')
    : EVERYTHING('home.id')
  let left = maxItems
  if (left < 0) return homes.length === 0 ? contents : undefined
  for (const portion of inBatches(homes.map(({ id }) => id))) {
    const folders = await read
      .selectFrom('folder as home')
      .innerJoin('folder', 'folder.parent_id', 'home.id')
      .where('home.public_id', 'in', portion)
      .where('home.team_id', '=', teamOf(resourceScope))
      .where(isInScope)
      .where('home.bin_id', 'is', null)
      .where('folder.bin_id', 'is', null)
      .select(['home.public_id as home', 'folder.public_id as id', 'folder.name'])
      .limit(left + 1)
      .execute()
    const documents = await read
      .selectFrom('folder as home')
      .innerJoin('document', 'document.folder_id', 'home.id')
      .where('home.public_id', 'in', portion)
      .where('home.team_id', '=', teamOf(resourceScope))
      .where(isInScope)
      .where('home.bin_id', 'is', null)
      .where('document.bin_id', 'is', null)
      .select(['home.public_id as home', 'document.public_id as id', 'document.name'])
      .select(['document.visibility', 'document.created_at', 'document.updated_at'])
      .limit(left + 1)
      .execute()
    left -= folders.length + documents.length
    if (left < 0) return undefined
    for (const { home, ...folder } of folders) contentsOf(home).folders.push(folder)
    for (const { home, ...document } of documents) contentsOf(home).documents.push(toSummary(document))
  }
  for (const { folders, documents } of contents.values()) {
    sortByName(folders)
    sortByName(documents)
  }
  return contents
}

interface FolderParameters {
  team: TeamKey
  id: FolderId
}

type SelectFolder = (parameters: FolderParameters) => RawBuilder<unknown>

function createReads(database: Database, isFolder: SelectFolder) {
  const ofTeam = (parameters: FolderParameters) => viewOfTeam(isFolder(parameters))
  const ofToken = (parameters: FolderParameters & LimitedScope) =>
    viewOfToken(isFolder(parameters), parameters)
  const readOfTeam = createRead(database, ofTeam)
  const readOfToken = createRead(database, ofToken)
  return (resourceScope: ResourceScope, { id }: { id: FolderId }): Promise<Uint8Array | undefined> =>
    isLimited(resourceScope) ? readOfToken({ ...resourceScope, id }) : readOfTeam({ team: resourceScope, id })
}

function createRead<Parameters extends object>(
  database: Database,
  viewFor: (parameters: Parameters) => View,
) {
  const read = database.prepare((_, parameters: Parameters) =>
    selectJson(WRITING[database.dialect], viewFor(parameters)),
  )
  const readParts = database.prepare((_, parameters: Parameters) => selectParts(viewFor(parameters)))
  return async (parameters: Parameters): Promise<Uint8Array | undefined> => {
    const row = await read.first(parameters)
    if (!row) return undefined
    if (row.json === null) return toJson(await readParts.all(parameters))
    return typeof row.json === 'string' ? Buffer.from(row.json) : row.json
  }
}

/** What a caller sees of a folder: where a statement finds it, what is above it, and what is in it. */
interface View {
  /**
   * Common table expressions: `self (id, parent_id, public_id, name)`, and `ancestors (public_id, name, height)`, where
   * the parent has the height 1.
   */
  tables: RawBuilder<unknown>
  /** An expression: the public id of the parent of `self`. */
  parent: string
  /** What follows `from` for the rows of `folder` and `document` that are in `self`. */
  folders: string
  documents: string
}

const viewOfTeam = (isFolder: RawBuilder<unknown>): View => ({
  tables: sql`
    self as (select id, parent_id, public_id, name from folder where ${isFolder}),
    ancestors (parent_id, public_id, name, height) as (
      select folder.parent_id, folder.public_id, folder.name, 1 from self join folder on folder.id = self.parent_id
      union all
      select folder.parent_id, folder.public_id, folder.name, ancestors.height + 1
      from ancestors join folder on folder.id = ancestors.parent_id
    )`,
  parent: '(select public_id from folder where id = self.parent_id)',
  folders: 'folder where folder.parent_id = self.id and folder.bin_id is null',
  documents: 'document where document.folder_id = self.id and document.bin_id is null',
})

/**
 * What is between the root and a folder of the token is left out: above such a folder is the root, and what is in the root
 * are such folders. `self.is_outline` is 1 for a root that the token does not include itself.
 */
const viewOfToken = (isFolder: RawBuilder<unknown>, { team, token }: LimitedScope): View => ({
  tables: sql`
    reached (id, path) as (${selectScopeFolders(token)}),
    self (id, parent_id, public_id, name, is_outline) as (
      select id, parent_id, public_id, name, is_outline from (
        select id, parent_id, public_id, name,
          case when ${isInFoldersOf(token, 'folder.id')} then 0 else 1 end as is_outline
        from folder where ${isFolder}) as found
      where parent_id is null or is_outline = 0
    ),
    below_root (id, parent_id, public_id, name, height) as (
      select folder.id, folder.parent_id, folder.public_id, folder.name, 1
      from self join folder on folder.id = self.parent_id where self.id not in (select id from reached)
      union all
      select folder.id, folder.parent_id, folder.public_id, folder.name, below_root.height + 1
      from below_root join folder on folder.id = below_root.parent_id
      where below_root.id not in (select id from reached)
    ),
    ancestors (public_id, name, height) as (
      select public_id, name, height from below_root
      union all
      select root.public_id, root.name, (select count(*) + 1 from below_root) from folder as root
      where root.team_id = ${team} and root.parent_id is null
        and exists (select 1 from self where parent_id is not null)
        and not exists (select 1 from below_root where parent_id is null)
    ),
    children (id) as (
      select folder.id from self join folder on folder.parent_id = self.id where self.is_outline = 0
      union all
      select reached.id from self join reached on self.is_outline = 1
    )`,
  parent: '(select public_id from ancestors where height = 1)',
  folders: 'children join folder on folder.id = children.id where folder.bin_id is null',
  documents:
    'document where document.folder_id = self.id and document.bin_id is null and self.is_outline = 0',
})

/** How a database writes the JSON of the response. */
interface Writing {
  /** The JSON of a text. */
  text(column: string): string
  /**
   * The JSON of a folder and a document in its parent: on SQLite exactly what is in the indexes `…_listing`, on PostgreSQL
   * the computed column of a document.
   */
  folder: string
  document: string
  /** The whole, as the driver hands it over at the least cost. */
  whole(text: RawBuilder<unknown>): RawBuilder<unknown>
}

const sqliteTime = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`

const WRITING: Record<Dialect, Writing> = {
  sqlite: {
    text: (column) => `json_quote(${column})`,
    folder: `json_object('id', public_id, 'name', name)`,
    document: `json_object('id', public_id, 'name', name, 'visibility', visibility,
      'createdAt', ${sqliteTime('created_at')}, 'updatedAt', ${sqliteTime('updated_at')})`,
    whole: (text) => sql`cast(${text} as blob)`,
  },
  postgres: {
    text: (column) => `to_json(${column})::text`,
    folder: `'{"id":"' || public_id || '","name":' || to_json(name)::text || '}'`,
    document: 'listing',
    whole: (text) => text,
  },
}

/**
 * The JSON of what is in the folder, separated by commas; null when a name has no key to sort by. Both databases
 * aggregate in the order of the rows, which SQLite would sort again if the order was that of the aggregate.
 */
const listing = (rows: string, json: string) =>
  sql.raw(`(
    select case when min(name_order) = '' then null else coalesce(string_agg(json, ','), '') end
    from (select ${json} as json, name_order from ${rows} order by name_order, public_id) as listed)`)

/** A row with the JSON, which is null when the contents have to be sorted here. */
const selectJson = (
  { text, folder, document, whole }: Writing,
  { tables, parent, folders, documents }: View,
): RawBuilder<{ json: Uint8Array | string | null }> => sql`
  with recursive ${tables}
  select ${whole(sql`'{"folder":{"id":"' || public_id || '","name":' || ${sql.raw(text('name'))}
    || ',"parentId":' || coalesce('"' || ${sql.raw(parent)} || '"', 'null')
    || ',"path":[' || (select coalesce(string_agg(json, ','), '')
        from (select ${sql.raw(folder)} as json from ancestors order by height desc) as above)
    || '],"folders":[' || ${listing(folders, folder)}
    || '],"documents":[' || ${listing(documents, document)}
    || ']}}'`)} as json
  from self`

/** A row of the statement that reads a folder with its ancestors and contents, to be sorted here. */
type FolderPart =
  /** The folder itself at height 0, its parent at 1, and so on up to the root. */
  | { part: 'ancestor'; height: number; id: FolderId; name: string }
  | { part: 'folder'; id: FolderId; name: string }
  | ({ part: 'document' } & DocumentSummaryRow<Visibility>)

const selectParts = ({ tables, folders, documents }: View): RawBuilder<FolderPart> => sql`
  with recursive ${tables}
  select 'ancestor' as part, 0 as height, public_id as id, name,
    cast(null as text) as visibility, cast(null as bigint) as created_at, cast(null as bigint) as updated_at
  from self
  union all
  select 'ancestor', height, public_id, name, null, null, null from ancestors
  union all
  select 'folder', null, folder.public_id, folder.name, null, null, null from self cross join ${sql.raw(folders)}
  union all
  select 'document', null, document.public_id, document.name, visibility, created_at, updated_at
  from self cross join ${sql.raw(documents)}`

function toJson(parts: FolderPart[]): Uint8Array | undefined {
  const ancestors: (FolderReference & { height: number })[] = []
  const folders: FolderReference[] = []
  const documents: DocumentSummary[] = []
  for (const part of parts) {
    if (part.part === 'ancestor') ancestors.push(part)
    else if (part.part === 'folder') folders.push({ id: part.id, name: part.name })
    else documents.push(toSummary(part))
  }
  ancestors.sort((a, b) => b.height - a.height)
  const self = ancestors.pop()
  if (!self) return undefined
  const folder: Folder = {
    id: self.id,
    name: self.name,
    parentId: ancestors.at(-1)?.id ?? null,
    path: ancestors.map(({ id, name }) => ({ id, name })),
    folders: sortByName(folders),
    documents: sortByName(documents),
  }
  return Buffer.from(JSON.stringify({ folder }))
}
