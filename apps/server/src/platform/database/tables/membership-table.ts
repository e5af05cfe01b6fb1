import type { MemberRole, UserId } from '@meadow/contract'
import type { Generated } from 'kysely'
import type { Milliseconds, TeamKey } from './column-types.ts'

/** A user in a team. */
export interface MembershipTable {
  team_id: TeamKey
  user_id: UserId
  role: MemberRole
  created_at: Milliseconds
  /**
   * 1 when a rule about the OpenID provider gave the role (0076), 0 when a person, an invitation or the operator did.
   */
  by_provider: Generated<0 | 1>
  /** The lower role that was given by hand, to which a role that a rule gave falls back; null when there is none. */
  own_role: Generated<MemberRole | null>
}
