import Type from 'typebox'
import { MEMBER_ROLES, type MemberRole } from '../members.ts'

/** An owner manages the team's settings, people and bin; a member edits and creates API tokens; a viewer reads. */
export const Role = Type.Enum([...MEMBER_ROLES])

/** Whether a role includes the permissions of another. */
export const hasRole = (role: MemberRole, needed: MemberRole): boolean =>
  MEMBER_ROLES.indexOf(role) <= MEMBER_ROLES.indexOf(needed)
