import { canMakeTokens, type UserId } from '@meadow/contract'
import type { Write } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import type { MemberChanges } from './team-change.ts'
import { endTokensOf } from './token-changes.ts'

export function createMemberChanges(write: Write, team: TeamKey): MemberChanges {
  /** Whoever may not invite any more could let themselves in again with a link that they kept. */
  async function withdrawInvitations(user: UserId): Promise<void> {
    await write.deleteFrom('invitation').where('team_id', '=', team).where('created_by', '=', user).execute()
  }

  return {
    async setMember(user, role) {
      await write
        .insertInto('membership')
        .values({ team_id: team, user_id: user, role, created_at: Date.now() })
        .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet({ role }))
        .execute()
      if (role !== 'owner') await withdrawInvitations(user)
      if (!canMakeTokens(role)) await endTokensOf(write, team, user, 'maker_role')
    },
    async removeMember(user) {
      await withdrawInvitations(user)
      await endTokensOf(write, team, user, 'maker_left')
      const { numDeletedRows } = await write
        .deleteFrom('membership')
        .where('team_id', '=', team)
        .where('user_id', '=', user)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    async hasOwner() {
      const owner = await write
        .selectFrom('membership')
        .where('team_id', '=', team)
        .where('role', '=', 'owner')
        .select('user_id')
        .executeTakeFirst()
      return owner !== undefined
    },
  }
}
