import type { ReadonlyKysely } from 'kysely/readonly'
import { readScopes } from '../access/scope-list.ts'
import type { Tables, TeamKey } from '../platform/database/tables.ts'
import type { TokenRecord } from './records.ts'

/** A `TeamRecord`. */
export const TEAM_COLUMNS = [
  'team.id as key',
  'team.public_id as id',
  'team.name',
  'team.host',
  'team.credits',
  'team.created_at as createdAt',
] as const

/** A `FolderRecord`. */
export const FOLDER_COLUMNS = ['folder.id as key', 'folder.public_id as id', 'folder.name'] as const

/** A `TokenRecord`, but that its scopes are a list to be read. */
export const TOKEN_COLUMNS = [
  'token.public_id as id',
  'token.name',
  'token.hint',
  'token.scopes',
  'token.created_at as createdAt',
  'token.expires_at as expiresAt',
  'token.revoked_at as revokedAt',
  'token.end_reason as endReason',
] as const

export const selectTeams = (read: ReadonlyKysely<Tables>) => read.selectFrom('team').select(TEAM_COLUMNS)

/** Where several have one name, the oldest comes first. Not those in the bin. */
export const selectFolders = (read: ReadonlyKysely<Tables>) =>
  read.selectFrom('folder').where('bin_id', 'is', null).select(FOLDER_COLUMNS).orderBy('folder.id')

export async function listTokens(read: ReadonlyKysely<Tables>, team: TeamKey): Promise<TokenRecord[]> {
  const tokens = read.selectFrom('token').where('team_id', '=', team).orderBy('id').select(TOKEN_COLUMNS)
  return (await tokens.execute()).map((row) => ({ ...row, scopes: readScopes(row.scopes) }))
}
