import { hash } from 'node:crypto'
import {
  type DocumentId,
  type DocumentSummary,
  type FolderId,
  MAX_CHANGES,
  type TeamChanges,
  type Visibility,
} from '@meadow/contract'
import { type RawBuilder, sql } from 'kysely'
import {
  isInFoldersOf,
  isLimited,
  type LimitedScope,
  type ResourceScope,
  selectScopeFolders,
  teamOf,
} from '../../access/resource-scope.ts'
import type { TokenPrincipal } from '../../access/token-principal.store.ts'
import { type DocumentSummaryRow, toSummary } from '../../library/listing.ts'
import type { Database } from '../../platform/database/database.ts'
import type { HappeningTable, TeamKey } from '../../platform/database/tables.ts'

export type ChangesCaller = Pick<TokenPrincipal, 'resourceScope' | 'teamId' | 'teamVersion' | 'scopes'>

export interface ChangesStore {
  /** Reads what is different since a cursor, which may be any text; `maxRows` is for tests. */
  read(caller: ChangesCaller, since: string, maxRows?: number): Promise<TeamChanges>
}

export function createChangesStore(database: Database): ChangesStore {
  let epoch: string | undefined
  const readEpoch = async () => {
    epoch ??= (await database.read.selectFrom('change_epoch').select('epoch').executeTakeFirstOrThrow()).epoch
    return epoch
  }
  const readOfTeam = database.prepare((_, parameters: PageParameters) =>
    selectPage(parameters, { isDocument: sql`true`, ...EVERYWHERE }),
  )
  const readOfToken = database.prepare((_, parameters: PageParameters & LimitedScope) =>
    selectPage(parameters, viewOfToken(parameters)),
  )
  const findOldest = database.prepare((read, { team }: { team: TeamKey }) =>
    read.selectFrom('team').where('id', '=', team).select('changes_from as oldest'),
  )
  const listScopeFolders = database.prepare((read, { token }: Pick<LimitedScope, 'token'>) =>
    read
      .selectFrom('token_folder')
      .where('token_id', '=', token)
      .orderBy('folder_id')
      .select('folder_id as id'),
  )

  /**
   * Opens the cursors of a caller: those of this epoch, team and folders, to which alone its versions mean something. Each
   * is signed, since an earlier version would tell a limited token what had left its folders before there was the token.
   */
  async function openCursors({ teamId, resourceScope }: ChangesCaller) {
    const folders = isLimited(resourceScope) ? await listScopeFolders.all(resourceScope) : undefined
    const identity = `${await readEpoch()} ${teamId} ${folders?.map(({ id }) => id).join()}`
    const write = ({ version, item }: Cursor): string => {
      const signature = hash('sha256', `${identity} ${version} ${item}`, 'base64url').slice(0, 22)
      return Buffer.from(`${signature} ${version} ${item}`).toString('base64url')
    }
    const read = (text: string): Cursor | undefined => {
      if (text.length > 100) return undefined
      const [, version, item] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? []
      const cursor = item === undefined ? undefined : { version: Number(version), item }
      return cursor && write(cursor) === text ? cursor : undefined
    }
    return { read, write }
  }

  function readPage(scope: ResourceScope, parameters: Omit<PageParameters, 'team'>): Promise<Row[]> {
    return isLimited(scope)
      ? readOfToken.all({ ...scope, ...parameters })
      : readOfTeam.all({ team: scope, ...parameters })
  }

  return {
    async read(caller, since, maxRows = MAX_CHANGES) {
      const { resourceScope, teamVersion, scopes } = caller
      const cursors = await openCursors(caller)
      const team = teamOf(resourceScope)
      const now: Cursor = { version: teamVersion, item: END }
      const solutions = scopes.has('solutions:read')
      const reset = {
        cursor: cursors.write(now),
        reset: true,
        truncated: false,
        solutions,
        ...describe([], false),
      }
      const from = cursors.read(since)
      if (!from || from.version > teamVersion) return reset
      const rows = await readPage(resourceScope, {
        ...from,
        limit: maxRows + 1,
        hasSolves: solutions ? 1 : 0,
      })
      // This is read after the rows, so that none of them can have been missing already.
      const { oldest } = (await findOldest.first({ team }))!
      if (from.version < oldest || (from.version === oldest && from.item !== END)) return reset
      const truncated = rows.length > maxRows
      if (truncated) dropLast(rows)
      const cursor = cursors.write(truncated ? (rows.at(-1) ?? now) : now)
      return { cursor, reset: false, truncated, solutions, ...describe(rows, isLimited(resourceScope)) }
    },
  }
}

/** How far a client has read: everything up to this version, and of the items at this version those up to this one. */
interface Cursor {
  version: number
  item: string
}

/** An item that is after all others. */
const END = '~'

/** A cursor as text: its signature, version and item. */
const CURSOR = /^[\w-]{22} (\d{1,10}) (~|[a-z]{3}_\w{16})$/

interface PageParameters {
  team: TeamKey
  version: number
  item: string
  limit: number
  /** 1 when ends of solves are shown. */
  hasSolves: 0 | 1
}

interface Row extends Pick<HappeningTable, 'version' | 'item' | 'kind' | 'what'> {
  /** 1 for a departure from where the caller could read the item, 0 for one from elsewhere; null for anything else. */
  hasLeft: 0 | 1 | null
  /** Null when there is no such folder or document for the caller, like all that follows. */
  name: string | null
  /** The folder that it is in. */
  home: FolderId | null
  visibility: Visibility | null
  created_at: number | null
  updated_at: number | null
}

/** What a caller sees: conditions on `folder` and `home`, the folder of a document, and the folder of a folder. */
interface View {
  isFolder: RawBuilder<unknown>
  isDocument: RawBuilder<unknown>
  parent: RawBuilder<unknown>
  /** Whether a place is within reach. */
  isPlace: RawBuilder<unknown>
  tables: RawBuilder<unknown>
  /** What is left out of the rows. */
  isWanted: RawBuilder<unknown>
}

/** Folders whose ancestor was moved did not change for who sees that one. */
const EVERYWHERE: Omit<View, 'isDocument'> = {
  isFolder: sql`true`,
  parent: sql`above.public_id`,
  isPlace: sql`what in ('binned', 'deleted')`,
  tables: sql``,
  isWanted: sql`what <> 'carried'`,
}

/** The topmost folders of a token are in the root, as its reads of folders have it. */
const viewOfToken = ({ team, token }: LimitedScope): View => ({
  isFolder: isInFoldersOf(token, 'folder.id'),
  isDocument: isInFoldersOf(token, 'document.folder_id'),
  parent: sql`case when folder.parent_id is not null and folder.id in (select id from reached)
    then (select public_id from folder as root where root.team_id = ${team} and root.parent_id is null)
    else above.public_id end`,
  isPlace: sql`exists (select 1 from token_folder where token_id = ${token}
    and '/' || place like '%/' || folder_id || '/%')`,
  tables: sql`reached (id, path) as (${selectScopeFolders(token)}),`,
  isWanted: sql`true`,
})

/** Selects the next rows, each with the folder or document as it is now, in one statement: both are of one moment. */
const selectPage = (
  { team, version, item, limit, hasSolves }: PageParameters,
  { isFolder, isDocument, parent, isPlace, tables, isWanted }: View,
): RawBuilder<Row> => sql`
  with ${tables} page as (
    select version, item, kind, what, place from happening
    where team_id = ${team} and (version, item) > (${version}, ${item}) and ${isWanted}
      and (${hasSolves} = 1 or what not in ('solved', 'failed'))
    order by version, item limit ${limit}
  )
  select page.version, page.item, page.kind, page.what,
    case when place = '' then null when ${isPlace} then 1 else 0 end as "hasLeft",
    coalesce(folder.name, document.name) as name, coalesce(${parent}, home.public_id) as home,
    document.visibility, document.created_at, document.updated_at
  from page
  left join folder on page.kind = 'folder' and folder.public_id = page.item and folder.bin_id is null and ${isFolder}
  left join folder as above on above.id = folder.parent_id
  left join document on page.kind = 'document' and document.public_id = page.item and document.bin_id is null
    and ${isDocument}
  left join folder as home on home.id = document.folder_id
  order by page.version, page.item`

/** Drops the rows of the last item at its version, of which more may follow that were not read. */
function dropLast(rows: Row[]): void {
  const { version, item } = rows.at(-1)!
  while (rows.at(-1)?.item === item && rows.at(-1)?.version === version) rows.pop()
}

/** Describes the items of the rows as the caller sees them. */
function describe(page: readonly Row[], hasLimits: boolean) {
  const changes: Pick<TeamChanges, 'folders' | 'documents' | 'gone'> = {
    folders: [],
    documents: [],
    gone: [],
  }
  for (const rows of Map.groupBy(page, ({ item }) => item).values()) {
    const [{ item, kind, ...row }] = rows as [Row]
    if (row.name === null) {
      const left = rows.filter(({ hasLeft }) => hasLeft === 1)
      if (left.length > 0) changes.gone.push({ kind, id: item, happened: list(left) })
    } else if (kind === 'folder') {
      const hasEntered =
        hasLimits &&
        rows.some(({ what, hasLeft }) => hasLeft === 0 && (what === 'moved' || what === 'carried'))
      changes.folders.push({
        ...{ id: item as FolderId, name: row.name, parentId: row.home, happened: list(rows) },
        ...(hasEntered && { entered: true }),
      })
    } else {
      const summary: DocumentSummary = toSummary({
        id: item as DocumentId,
        ...row,
      } as DocumentSummaryRow<Visibility>)
      changes.documents.push({ ...summary, folderId: row.home!, happened: list(rows) })
    }
  }
  return changes
}

/** Lists what has happened, each word once, the last one at the end. */
function list(rows: readonly Row[]) {
  const happened = rows.map(({ what }) => (what === 'carried' ? 'moved' : what))
  return happened.filter((what, index) => happened.lastIndexOf(what) === index)
}

/** How many departures of each team are kept; a cursor from before is too old. */
const KEPT_DEPARTURES = 50_000

const DELETED_AT_ONCE = 1000

/** Deletes the oldest departures of teams that have more than are kept; returns how many there were. */
export async function pruneDepartures(
  { read, transaction }: Pick<Database, 'read' | 'transaction'>,
  kept = KEPT_DEPARTURES,
): Promise<number> {
  const departures = read.selectFrom('happening').where('place', '<>', '')
  const teams = await departures
    .groupBy('team_id')
    .having(({ eb, fn }) => eb(fn.countAll(), '>', kept))
    .select('team_id as team')
    .execute()
  let count = 0
  for (const { team } of teams) {
    const { version } = await departures
      .where('team_id', '=', team)
      .orderBy('version', 'desc')
      .offset(kept)
      .limit(1)
      .select('version')
      .executeTakeFirstOrThrow()
    await transaction((write) =>
      write.updateTable('team').set({ changes_from: version }).where('id', '=', team).execute(),
    )
    // In portions, since other writers wait.
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; count += deleted) {
      const { numAffectedRows } = await transaction((write) =>
        sql`delete from happening where (item, what, place) in (select item, what, place from happening
          where team_id = ${team} and version <= ${version} and place <> '' limit ${DELETED_AT_ONCE})`.execute(
          write,
        ),
      )
      deleted = Number(numAffectedRows)
    }
  }
  return count
}
