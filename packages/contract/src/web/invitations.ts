import Type, { type Static } from 'typebox'
import { Timestamp } from '../ids.ts'
import { appEndpoint } from './app-endpoint.ts'
import { Nothing } from './bodies.ts'
import { Email, Password, PersonName, PersonReference, TeamId } from './people.ts'
import { Role } from './roles.ts'
import { Me } from './session.ts'
import { TeamParams } from './team-settings.ts'

export const Invitation = Type.Object({
  id: Type.String(),
  role: Role,
  /** A note by its creator, such as the name of the person. */
  note: Type.String(),
  /** The address that it was mailed to. */
  email: Type.Union([Type.String(), Type.Null()]),
  createdAt: Timestamp,
  createdBy: PersonReference,
  expiresAt: Timestamp,
})
export type Invitation = Static<typeof Invitation>

/** The invitations that can still be accepted, the newest first. */
export const listInvitations = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/invitations',
  needs: 'owner',
  params: TeamParams,
  response: Type.Object({ invitations: Type.Array(Invitation) }),
})

/** Create a link that lets one person join the team: to be shown once, or to be mailed. */
export const createInvitation = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/invitations',
  needs: 'owner',
  needsFreshSignIn: true,
  params: TeamParams,
  body: Type.Object({
    role: Role,
    note: Type.Optional(Type.String({ maxLength: 200 })),
    expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, description: '7 when left out.' })),
    email: Type.Optional(Type.Union([Email, Type.Null()], { description: 'Where the link is mailed to.' })),
  }),
  response: Type.Object({
    invitation: Invitation,
    /** The secret follows the `#`, which browsers do not send: `…/invitation#mdi_…`. Null: it is mailed. */
    url: Type.Union([Type.String(), Type.Null()]),
  }),
  status: 201,
  errors: ['role_missing', 'mail_not_set_up', 'email_not_acceptable', 'too_many_attempts'],
})

/** Withdraw an invitation that has not been accepted yet. */
export const withdrawInvitation = appEndpoint({
  method: 'DELETE',
  path: '/teams/:teamId/invitations/:invitationId',
  needs: 'owner',
  params: Type.Object({ teamId: Type.String(), invitationId: Type.String() }),
  response: Nothing,
  errors: ['invitation_not_found'],
})

const InvitationSecret = Type.String({
  maxLength: 100,
  description: 'What stands behind the `#` of the link.',
})

/** The team and role that an invitation is for. It is a POST, so that the secret is in no address. */
export const lookAtInvitation = appEndpoint({
  method: 'POST',
  path: '/invitations/look',
  needs: 'anyone',
  body: Type.Object({ secret: InvitationSecret }),
  response: Type.Object({
    teamName: Type.String(),
    role: Role,
    expiresAt: Timestamp,
    /** The address that it was mailed to, which accepting it confirms. */
    email: Type.Union([Type.String(), Type.Null()]),
  }),
  errors: ['invitation_not_valid', 'too_many_attempts'],
})

/**
 * Join a team by an invitation, with the own account or a new one. A signed-in caller joins with their account and
 * sends no `account`. Otherwise the given account is created and signed in. Works once.
 */
export const acceptInvitation = appEndpoint({
  method: 'POST',
  path: '/invitations/accept',
  needs: 'anyone',
  body: Type.Object({
    secret: InvitationSecret,
    account: Type.Optional(Type.Object({ name: PersonName, email: Email, password: Password })),
  }),
  response: Type.Object({ teamId: TeamId, me: Me }),
  errors: [
    'invitation_not_valid',
    'not_signed_in',
    'already_a_member',
    'email_taken',
    'email_not_acceptable',
    'password_not_acceptable',
    'too_many_attempts',
  ],
})
