import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database, Query, Select } from '../platform/database/database.ts'
import type { FolderKey, TeamKey, TokenKey } from '../platform/database/tables.ts'

/**
 * What a caller may read: all of a team or, with a token that is limited to folders, what is in these at the time of
 * the query (decision record 0068). The stores that answer the API take it in place of a team.
 */
export type Reach = TeamKey | LimitedReach

export interface LimitedReach {
  team: TeamKey
  /** The token, whose folders are in `token_folder`. */
  token: TokenKey
}

export const isLimited = (reach: Reach): reach is LimitedReach => typeof reach === 'object'

/**
 * The headers of responses to a limited token, whose client could otherwise mistake what is out of reach for deleted.
 */
export const LIMITED_REACH_HEADERS = { 'meadow-reach': 'folders' }

export const teamOf = (reach: Reach): TeamKey => (isLimited(reach) ? reach.team : reach)

/**
 * Returns a key. Callers with the same key may share responses: all unlimited ones of a team, or a limited token alone.
 */
export const keyOfReach = (reach: Reach): string =>
  isLimited(reach) ? `${reach.team}/${reach.token}` : String(reach)

/** Returns the SQL condition that the folder whose key is in this column may be read. */
export type IsReached = (folder: string) => RawBuilder<SqlBool>

/** Returns the condition for queries of a whole team, which is always true. */
export const EVERYTHING: IsReached = () => sql<SqlBool>`true`

/**
 * Returns the SQL condition that the folder in the column is, or is below, a folder of the token. `token` is a value or
 * a column.
 */
export const isInFoldersOf = (
  token: TokenKey | RawBuilder<unknown>,
  folder: string,
): RawBuilder<SqlBool> => sql`exists (
  select 1 from token_folder
  join folder as reached on reached.id = token_folder.folder_id
  join folder as home on home.id = ${sql.ref(folder)}
  where token_folder.token_id = ${token} and substr(home.path, 1, length(reached.path)) = reached.path)`

/** Returns SQL that selects the folders of a token which are neither in the bin nor below others of its folders. */
export const selectReachedFolders = (token: TokenKey): RawBuilder<{ id: FolderKey; path: string }> => sql`
  select reached.id, reached.path from token_folder
  join folder as reached on reached.id = token_folder.folder_id
  where token_folder.token_id = ${token} and reached.bin_id is null and not exists (
    select 1 from token_folder as other
    join folder as above on above.id = other.folder_id
    where other.token_id = ${token} and above.id <> reached.id
      and substr(reached.path, 1, length(above.path)) = above.path)`

/** A read within the reach of a caller, compiled once for each kind of reach. */
export interface PreparedInReach<Parameters, Row> {
  all(reach: Reach, parameters: Omit<Parameters, 'team'>): Promise<Row[]>
  first(reach: Reach, parameters: Omit<Parameters, 'team'>): Promise<Row | undefined>
}

/**
 * Prepares a read like `Database.prepare`. `build` has to restrict the query to the team, and to folders that
 * `isReached`.
 */
export function prepareInReach<Parameters extends { team: TeamKey }, Row>(
  database: Pick<Database, 'prepare'>,
  build: (read: Select, parameters: Parameters, isReached: IsReached) => Query<Row>,
): PreparedInReach<Parameters, Row> {
  const ofTeam = database.prepare((read, parameters: Parameters) => build(read, parameters, EVERYTHING))
  const ofToken = database.prepare((read, parameters: Parameters & LimitedReach) =>
    build(read, parameters, (folder) => isInFoldersOf(parameters.token, folder)),
  )
  type Others = Omit<Parameters, 'team'>
  const withTeam = (team: TeamKey, others: Others) => ({ ...others, team }) as Parameters
  const withToken = (reach: LimitedReach, others: Others) =>
    ({ ...others, ...reach }) as Parameters & LimitedReach
  return {
    all: (reach, others) =>
      isLimited(reach) ? ofToken.all(withToken(reach, others)) : ofTeam.all(withTeam(reach, others)),
    first: (reach, others) =>
      isLimited(reach) ? ofToken.first(withToken(reach, others)) : ofTeam.first(withTeam(reach, others)),
  }
}
