import type { MemberRole, UserId } from '@meadow/contract'
import type { Write } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'

/** The role of a member as it is in this transaction; undefined for somebody who is none. */
export async function findRole(write: Write, team: TeamKey, user: UserId): Promise<MemberRole | undefined> {
  const member = await write
    .selectFrom('membership')
    .where('team_id', '=', team)
    .where('user_id', '=', user)
    .select('role')
    .executeTakeFirst()
  return member?.role
}
