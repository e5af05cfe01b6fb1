import Type, { type Static } from 'typebox'
import { Timestamp } from '../ids.ts'
import { appEndpoint } from './app-endpoint.ts'
import { Nothing } from './bodies.ts'
import { Person } from './people.ts'
import { Role } from './roles.ts'
import { TeamParams } from './team-settings.ts'

export const Member = Type.Object({
  ...Person.properties,
  role: Role,
  /**
   * Whether the role was given by rules about the OpenID provider. A role that is changed by hand counts as given by
   * hand.
   */
  isRoleFromProvider: Type.Boolean(),
  since: Timestamp,
  /** False: the address was entered with an invitation and is not verified. */
  isEmailConfirmed: Type.Boolean(),
  hasSecondFactor: Type.Boolean(),
})
export type Member = Static<typeof Member>

const MemberParams = Type.Object({ teamId: Type.String(), userId: Type.String() })

/** The members of the team, by name. */
export const listMembers = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/members',
  needs: 'viewer',
  params: TeamParams,
  response: Type.Object({ members: Type.Array(Member) }),
})

/** Change a member's role. The last owner keeps theirs. */
export const changeMember = appEndpoint({
  method: 'PATCH',
  path: '/teams/:teamId/members/:userId',
  needs: 'owner',
  needsFreshSignIn: true,
  params: MemberParams,
  body: Type.Object({ role: Role }),
  response: Type.Object({ member: Member }),
  errors: ['member_not_found', 'last_owner_stays'],
})

/**
 * Remove a member, or leave. The last owner stays. Owners remove any member. Other members, and owners except the last
 * one, remove themselves to leave.
 */
export const removeMember = appEndpoint({
  method: 'DELETE',
  path: '/teams/:teamId/members/:userId',
  needs: 'viewer',
  needsFreshSignIn: true,
  params: MemberParams,
  response: Nothing,
  errors: ['role_missing', 'member_not_found', 'last_owner_stays'],
})
