import Type, { type Static } from 'typebox'
import { FolderId, type TeamId as TeamIdType, type UserId as UserIdType } from '../ids.ts'
import { Role } from './roles.ts'

export const UserId = Type.Unsafe<UserIdType>({ type: 'string' })
export const TeamId = Type.Unsafe<TeamIdType>({ type: 'string' })

/** Another person, as the members of a team see them. */
export const PersonReference = Type.Object({ id: UserId, name: Type.String() })
export type PersonReference = Static<typeof PersonReference>

export const Person = Type.Object({ id: UserId, name: Type.String(), email: Type.String() })
export type Person = Static<typeof Person>

export const Email = Type.String({ minLength: 3, maxLength: 254 })
export const Password = Type.String({ maxLength: 1000, description: '10 to 128 characters.' })
export const PersonName = Type.String({ minLength: 1, maxLength: 200 })

/** A team that a person is in. */
export const Membership = Type.Object({
  id: TeamId,
  name: Type.String(),
  role: Role,
  rootFolderId: FolderId,
  /** The host name that is the team's own. */
  hostName: Type.Union([Type.String(), Type.Null()]),
  /** True when the team requires a second factor, and is closed to the person until they have one. */
  needsSecondFactor: Type.Boolean(),
})
export type Membership = Static<typeof Membership>
