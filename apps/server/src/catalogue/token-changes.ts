import type { TokenEndReason, UserId } from '@meadow/contract'
import { readScopes, writeScopes } from '../access/scope-list.ts'
import { hashToken, tokenHint } from '../access/tokens.ts'
import type { Write } from '../platform/database/database.ts'
import { readName } from '../platform/database/names.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { createPublicId, isPublicId } from '../platform/public-ids.ts'
import { TOKEN_COLUMNS } from './selections.ts'
import type { TokenChanges } from './team-change.ts'

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
 * Ends the tokens of a team that a person made, in the transaction that takes the right to make them from that person.
 * Tokens that were revoked before keep their time; the operator's tokens, which have no maker, stay.
 */
export async function endTokensOf(
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
