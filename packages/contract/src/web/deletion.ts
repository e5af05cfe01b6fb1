import Type, { type Static } from 'typebox'
import { Timestamp } from '../ids.ts'
import { appEndpoint } from './app-endpoint.ts'
import { None, Nothing } from './bodies.ts'
import { TeamId } from './people.ts'
import { TeamParams } from './team-settings.ts'

/** What of something deleted is still somewhere, in words. */
const Remains = Type.Array(Type.Object({ where: Type.String(), until: Type.String() }))

export const DeletedTeam = Type.Object({
  id: TeamId,
  name: Type.String(),
  deletedAt: Timestamp,
  /** From then on it is removed for good. */
  restorableUntil: Timestamp,
  /** False when the operator of the service deleted it: only they can restore it. */
  isRestorable: Type.Boolean(),
})
export type DeletedTeam = Static<typeof DeletedTeam>

export const deleteTeam = appEndpoint({
  name: 'deleteTeam',
  method: 'POST',
  path: '/teams/:teamId/deletion',
  summary: 'Delete a team: nobody reaches it any more, and its owners can restore it for 14 days.',
  needs: 'owner',
  needsFreshSignIn: true,
  params: TeamParams,
  query: None,
  /** The name of the team, as a confirmation. */
  body: Type.Object({ name: Type.String() }),
  response: Type.Object({ team: DeletedTeam, remains: Remains }),
  errors: ['confirmation_not_right'],
})

export const readDeletions = appEndpoint({
  name: 'readDeletions',
  method: 'GET',
  path: '/me/deletions',
  summary:
    'The deleted teams that the person owns and that are not removed yet, and what keeps them from deleting their account.',
  needs: 'person',
  params: None,
  query: None,
  body: undefined,
  response: Type.Object({
    deletedTeams: Type.Array(DeletedTeam),
    /** Teams that would be left without an owner. */
    lastOwnerOf: Type.Array(Type.Object({ id: TeamId, name: Type.String() })),
  }),
  errors: [],
})

export const restoreTeam = appEndpoint({
  name: 'restoreTeam',
  method: 'POST',
  path: '/me/deletions/:deletedTeamId/restore',
  summary: 'Restore a deleted team as it was, as one of its owners.',
  needs: 'person',
  needsFreshSignIn: true,
  params: Type.Object({ deletedTeamId: Type.String() }),
  query: None,
  body: undefined,
  response: Nothing,
  errors: ['deleted_team_not_found', 'deleted_by_operator', 'team_not_restorable'],
})

export const deleteAccount = appEndpoint({
  name: 'deleteAccount',
  method: 'POST',
  path: '/me/deletion',
  summary: 'Delete the own account. What the person made stays with their teams.',
  needs: 'person',
  needsFreshSignIn: true,
  params: None,
  query: None,
  /** The e-mail address of the account, as a confirmation. */
  body: Type.Object({ email: Type.String() }),
  response: Type.Object({ remains: Remains }),
  errors: ['confirmation_not_right', 'last_owner_stays'],
})
