import Type, { type Static } from 'typebox'
import { Timestamp } from '../ids.ts'
import { appEndpoint } from './app-endpoint.ts'
import { Nothing } from './bodies.ts'
import { TeamId } from './people.ts'
import { TeamParams } from './team-settings.ts'

/** The places where a part of something deleted remains, in words. */
const Remains = Type.Array(Type.Object({ where: Type.String(), until: Type.String() }))

export const DeletedTeam = Type.Object({
  id: TeamId,
  name: Type.String(),
  deletedAt: Timestamp,
  /** The time at which the team is removed for good. */
  restorableUntil: Timestamp,
  /** False when the operator of the service deleted the team: only they can restore it. */
  isRestorable: Type.Boolean(),
})
export type DeletedTeam = Static<typeof DeletedTeam>

/** Delete a team: nobody reaches it any more, and its owners can restore it for 14 days. */
export const deleteTeam = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/deletion',
  needs: 'owner',
  needsFreshSignIn: true,
  params: TeamParams,
  /** The name of the team, as a confirmation. */
  body: Type.Object({ name: Type.String() }),
  response: Type.Object({ team: DeletedTeam, remains: Remains }),
  errors: ['confirmation_not_right'],
})

/**
 * The deleted teams that the person owns and that are not removed yet, and the teams that keep them from deleting their
 * account.
 */
export const readDeletions = appEndpoint({
  method: 'GET',
  path: '/me/deletions',
  needs: 'person',
  response: Type.Object({
    deletedTeams: Type.Array(DeletedTeam),
    /** Teams that would be left without an owner. */
    lastOwnerOf: Type.Array(Type.Object({ id: TeamId, name: Type.String() })),
  }),
})

/** Restore a deleted team as it was, as one of its owners. */
export const restoreTeam = appEndpoint({
  method: 'POST',
  path: '/me/deletions/:deletedTeamId/restore',
  needs: 'person',
  needsFreshSignIn: true,
  params: Type.Object({ deletedTeamId: Type.String() }),
  response: Nothing,
  errors: ['deleted_team_not_found', 'deleted_by_operator', 'team_not_restorable'],
})

/** Delete the own account. What the person made stays with their teams. */
export const deleteAccount = appEndpoint({
  method: 'POST',
  path: '/me/deletion',
  needs: 'person',
  needsFreshSignIn: true,
  /** The e-mail address of the account, as a confirmation. */
  body: Type.Object({ email: Type.String() }),
  response: Type.Object({ remains: Remains }),
  errors: ['confirmation_not_right', 'last_owner_stays'],
})
