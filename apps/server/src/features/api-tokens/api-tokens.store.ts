import type { TokenId, UserId } from '@meadow/contract'
import type { ApiToken } from '@meadow/contract/web'
import { readTokenFolders } from '../../access/team-tokens.ts'
import { readList } from '../../access/token-policy.ts'
import { readScopes } from '../../access/tokens.ts'
import type { Database } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { isPublicId } from '../../platform/public-ids.ts'

/** The queries of the team settings about API tokens. */
export interface ApiTokenStore {
  /** Lists the tokens of a team, newest first; with `maker`, only those that this user created. */
  list(team: TeamKey, maker?: UserId): Promise<ApiToken[]>
  /** `id` is what the caller sent. */
  find(team: TeamKey, id: string): Promise<ApiToken | undefined>
}

export function createApiTokenStore(
  { read }: Pick<Database, 'read'>,
  now: () => number = () => timeOf(read),
): ApiTokenStore {
  const select = (team: TeamKey) =>
    read
      .selectFrom('token')
      .leftJoin('user', 'user.id', 'token.created_by')
      .where('token.team_id', '=', team)
      .orderBy('token.id', 'desc')
      .select([
        'token.public_id as id',
        'token.name',
        'token.kind',
        'token.hint',
        'token.addresses',
        'token.origins',
        'token.scopes',
        'token.created_at',
        'token.expires_at',
        'token.revoked_at',
        'token.end_reason',
        'token.last_used_at',
        'token.id as key',
        'token.is_limited as isLimited',
        'token.last_used_from',
        'token.replaced_by',
        'user.id as userId',
        'user.name as userName',
      ])
  type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]
  type FoldersOf = Awaited<ReturnType<typeof readTokenFolders>>
  const toToken = (row: Row, foldersOf: FoldersOf): ApiToken => ({
    id: row.id,
    name: row.name,
    kind: row.kind,
    prefix: row.hint,
    scopes: readScopes(row.scopes),
    folders: foldersOf(row),
    addresses: readList(row.addresses),
    origins: readList(row.origins),
    state: stateOf(row, now()),
    createdAt: toTimestamp(row.created_at),
    createdBy: row.userId && { id: row.userId, name: row.userName ?? '' },
    lastUsedAt: toTimestampOrNull(row.last_used_at),
    lastUsedFrom: row.last_used_from,
    expiresAt: toTimestampOrNull(row.expires_at),
    revokedAt: toTimestampOrNull(row.revoked_at),
    endReason: row.end_reason,
    replacedBy: row.replaced_by,
  })
  return {
    async list(team, maker) {
      const tokens = select(team).$if(maker !== undefined, (all) =>
        all.where('token.created_by', '=', maker!),
      )
      const foldersOf = await readTokenFolders(read, team)
      return (await tokens.execute()).map((row) => toToken(row, foldersOf))
    },
    async find(team, id) {
      if (!isPublicId('tok', id)) return undefined
      const row = await select(team)
        .where('token.public_id', '=', id as TokenId)
        .executeTakeFirst()
      return row && toToken(row, await readTokenFolders(read, team))
    },
  }
}

function stateOf(
  { revoked_at, expires_at }: { revoked_at: number | null; expires_at: number | null },
  now: number,
): ApiToken['state'] {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'valid'
}

const toTimestampOrNull = (ms: number | null) => (ms === null ? null : toTimestamp(ms))
