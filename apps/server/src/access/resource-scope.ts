import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database, Query, Select } from '../platform/database/database.ts'
import type { FolderKey, TeamKey, TokenKey } from '../platform/database/tables.ts'

/**
 * What a caller may read: all of a team or, with a token that is limited to folders, what is in these at the time of
 * the query (decision record 0068). The stores that answer the API take it in place of a team.
 */
export type ResourceScope = TeamKey | LimitedScope

export interface LimitedScope {
  team: TeamKey
  /** The token, whose folders are in `token_folder`. */
  token: TokenKey
}

export const isLimited = (scope: ResourceScope): scope is LimitedScope => typeof scope === 'object'

/**
 * The headers of responses to a limited token, whose client could otherwise mistake what is out of scope for deleted.
 */
export const LIMITED_SCOPE_HEADERS = { 'meadow-reach': 'folders' }

export const teamOf = (scope: ResourceScope): TeamKey => (isLimited(scope) ? scope.team : scope)

/**
 * Returns a key. Callers with the same key may share responses: all unlimited ones of a team, or a limited token alone.
 */
export const keyOfScope = (scope: ResourceScope): string =>
  isLimited(scope) ? `${scope.team}/${scope.token}` : String(scope)

/** Returns the SQL condition that the folder whose key is in this column is in a scope. */
export type IsInScope = (folder: string) => RawBuilder<SqlBool>

/** Returns the condition for queries of a whole team, which is always true. */
export const EVERYTHING: IsInScope = () => sql<SqlBool>`true`

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
export const selectScopeFolders = (token: TokenKey): RawBuilder<{ id: FolderKey; path: string }> => sql`
  select reached.id, reached.path from token_folder
  join folder as reached on reached.id = token_folder.folder_id
  where token_folder.token_id = ${token} and reached.bin_id is null and not exists (
    select 1 from token_folder as other
    join folder as above on above.id = other.folder_id
    where other.token_id = ${token} and above.id <> reached.id
      and substr(reached.path, 1, length(above.path)) = above.path)`

/** A read within the scope of a caller, compiled once for each kind of scope. */
export interface PreparedInScope<Parameters, Row> {
  all(scope: ResourceScope, parameters: Omit<Parameters, 'team'>): Promise<Row[]>
  first(scope: ResourceScope, parameters: Omit<Parameters, 'team'>): Promise<Row | undefined>
}

/**
 * Prepares a read like `Database.prepare`. `build` has to restrict the query to the team, and to folders that
 * `isInScope`.
 */
export function prepareInScope<Parameters extends { team: TeamKey }, Row>(
  database: Pick<Database, 'prepare'>,
  build: (read: Select, parameters: Parameters, isInScope: IsInScope) => Query<Row>,
): PreparedInScope<Parameters, Row> {
  const ofTeam = database.prepare((read, parameters: Parameters) => build(read, parameters, EVERYTHING))
  const ofToken = database.prepare((read, parameters: Parameters & LimitedScope) =>
    build(read, parameters, (folder) => isInFoldersOf(parameters.token, folder)),
  )
  type Others = Omit<Parameters, 'team'>
  const withTeam = (team: TeamKey, others: Others) => ({ ...others, team }) as Parameters
  const withToken = (scope: LimitedScope, others: Others) =>
    ({ ...others, ...scope }) as Parameters & LimitedScope
  return {
    all: (scope, others) =>
      isLimited(scope) ? ofToken.all(withToken(scope, others)) : ofTeam.all(withTeam(scope, others)),
    first: (scope, others) =>
      isLimited(scope) ? ofToken.first(withToken(scope, others)) : ofTeam.first(withTeam(scope, others)),
  }
}
