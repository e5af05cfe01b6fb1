import type { Scope, TokenEndReason, TokenId, UserId } from '@meadow/contract'
import type { ReadonlyKysely } from 'kysely/readonly'
import { hashToken, readScopes, tokenHint, writeScopes } from '../access/tokens.ts'
import type { Write } from '../platform/database/database.ts'
import { readName } from '../platform/database/names.ts'
import type { Tables, TeamKey } from '../platform/database/tables.ts'
import { createPublicId, isPublicId } from '../platform/public-ids.ts'

export interface TokenRecord {
  id: TokenId
  name: string
  /** The first characters of the secret. */
  hint: string
  scopes: Scope[]
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  /** Why the server revoked it; null when it was not revoked, or by a person. */
  endReason: TokenEndReason | null
}

export interface NewToken {
  name: string
  /** Made by `createTokenSecret`. Only its hash is stored. */
  secret: string
  scopes: readonly Scope[]
  expiresAt?: number | undefined
  /** A member who may make tokens; undefined for the operator. */
  createdBy?: UserId | undefined
}

/** The columns of a `TokenRecord`, with unparsed scopes. */
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

export async function listTokens(read: ReadonlyKysely<Tables>, team: TeamKey): Promise<TokenRecord[]> {
  const tokens = read.selectFrom('token').where('team_id', '=', team).orderBy('id').select(TOKEN_COLUMNS)
  return (await tokens.execute()).map((row) => ({ ...row, scopes: readScopes(row.scopes) }))
}

export interface TokenChanges {
  createToken(token: NewToken): Promise<TokenRecord>
  /** False when the team has no such token. A token that was revoked before keeps its time. */
  revokeToken(id: string): Promise<boolean>
}

export function createTokenChanges(write: Write, team: TeamKey): TokenChanges {
  return {
    async createToken({ name, secret, scopes, expiresAt, createdBy }) {
      const row = await write
        .insertInto('token')
        .values({
          public_id: createPublicId('tok'),
          team_id: team,
          name: readName(name),
          hint: tokenHint(secret),
          hash: hashToken(secret),
          scopes: writeScopes(scopes),
          created_at: Date.now(),
          expires_at: expiresAt ?? null,
          revoked_at: null,
          created_by: createdBy ?? null,
        })
        .returning(TOKEN_COLUMNS)
        .executeTakeFirstOrThrow()
      return { ...row, scopes: readScopes(row.scopes) }
    },
    async revokeToken(id) {
      if (!isPublicId('tok', id)) return false
      const revoked = await write
        .updateTable('token')
        .set(({ fn, val }) => ({ revoked_at: fn.coalesce('revoked_at', val(Date.now())) }))
        .where('public_id', '=', id)
        .where('team_id', '=', team)
        .executeTakeFirst()
      return revoked.numUpdatedRows > 0n
    },
  }
}

/**
 * Revokes the tokens of a team that a person made, in the transaction that takes from that person the right to make
 * them. Tokens that were revoked before keep their time; the operator's tokens, which have no maker, stay.
 */
export async function revokeTokensOf(
  write: Write,
  team: TeamKey,
  user: UserId,
  reason: TokenEndReason,
): Promise<void> {
  await write
    .updateTable('token')
    .set({ revoked_at: Date.now(), end_reason: reason })
    .where('team_id', '=', team)
    .where('created_by', '=', user)
    .where('revoked_at', 'is', null)
    .execute()
}
